public import Promise
internal import Synchronization

/// What a source and its copies have in common: where its owner delivers, who subscribed by object, and which
/// parts are read under observation.
@usableFromInline
final class SourceIdentity<Value: Sendable>: Sendable {
    /// Where the owner delivers; nil if that is wherever a value comes from.
    @usableFromInline let scheduler: (any SerialScheduler)?
    // Most sources are never asked for these.
    private let lazyObjects = AtomicLazyReference<ObjectSubscriptions>()
    private let lazyTracking = AtomicLazyReference<Tracking<Value>>()
    private let lazyProbe = AtomicLazyReference<AccessProbe>()

    @usableFromInline
    init(_ scheduler: (any SerialScheduler)? = nil) { self.scheduler = scheduler }

    var objects: ObjectSubscriptions { lazyObjects.load() ?? lazyObjects.storeIfNil(ObjectSubscriptions()) }
    var tracking: Tracking<Value> { lazyTracking.load() ?? lazyTracking.storeIfNil(Tracking(scheduler)) }

    /// Whether the caller is inside of `withObservationTracking`.
    @usableFromInline var isTracked: Bool {
        (lazyProbe.load() ?? lazyProbe.storeIfNil(AccessProbe())).isTracked
    }

    /// Whether there was a subscription by object.
    var hasObjects: Bool { lazyObjects.load() != nil }

    /// Does `work` where the owner delivers.
    func onOwnersPlace(_ work: @escaping @Sendable () -> Void) {
        if let scheduler, !scheduler.isCurrent { scheduler.schedule(work) } else { work() }
    }
}

/// What makes the sources of a stage the same ones whenever they are asked for.
struct StageSources<State: Sendable>: ~Copyable, Sendable {
    fileprivate let settled = AtomicLazyReference<SourceIdentity<State>>()
    fileprivate let shown = AtomicLazyReference<SourceIdentity<Shown<State>>>()
}

extension Stage {
    @usableFromInline var settledIdentity: SourceIdentity<State> {
        sources.settled.load() ?? sources.settled.storeIfNil(SourceIdentity(scheduler))
    }

    var shownIdentity: SourceIdentity<Shown<State>> {
        sources.shown.load() ?? sources.shown.storeIfNil(SourceIdentity(scheduler))
    }
}
