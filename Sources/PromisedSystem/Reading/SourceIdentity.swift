public import Promise
internal import Synchronization

/// What a source and its copies have in common: where its owner delivers, who subscribed by object, and which
/// parts are read under observation.
@usableFromInline
final class SourceIdentity<Value: Sendable>: Sendable {
    /// Where the owner delivers; nil if that is wherever a value comes from.
    @usableFromInline let scheduler: (any SerialScheduler)?
    // Most sources are never asked for these.
    private let lazyExtras = AtomicLazyReference<Extras>()

    private final class Extras: Sendable {
        let objects = AtomicLazyReference<ObjectSubscriptions>()
        let tracking = AtomicLazyReference<Tracking<Value>>()
        let probe = AtomicLazyReference<AccessProbe>()
        let readers = AtomicLazyReference<Lock<[ReadersKey: Weak<ReadersConnection>]>>()
        let parts = AtomicLazyReference<Lock<[Part: WeakObject]>>()
    }

    @usableFromInline
    init(_ scheduler: (any SerialScheduler)? = nil) { self.scheduler = scheduler }

    private var extras: Extras { lazyExtras.load() ?? lazyExtras.storeIfNil(Extras()) }

    var objects: ObjectSubscriptions {
        let extras = extras
        return extras.objects.load() ?? extras.objects.storeIfNil(ObjectSubscriptions())
    }

    var tracking: Tracking<Value> {
        let extras = extras
        return extras.tracking.load() ?? extras.tracking.storeIfNil(Tracking(scheduler))
    }

    /// Those who read elements of one collection of the value, found by one means.
    @usableFromInline
    func readers<Finder: ElementFinder>(
        of collection: any KeyPath<Value, Finder.Elements> & Sendable,
        _ make: () -> (ElementReaders<Value, Finder>, ReadersConnection)
    ) -> (ElementReaders<Value, Finder>, ReadersConnection) {
        let extras = extras
        let all = extras.readers.load() ?? extras.readers.storeIfNil(Lock([:]))
        let key = ReadersKey(collection: Part(collection), finder: ObjectIdentifier(Finder.self))
        return all.withLock { all in
            if let connection = all[key]?.value,
                let readers = connection.readers as? ElementReaders<Value, Finder>
            {
                return (readers, connection)
            }
            let (readers, connection) = make()
            all = all.filter { $0.value.value != nil }
            all[key] = Weak(value: connection)
            return (readers, connection)
        }
    }

    /// The identity of a property of the value, the same for as long as somebody has it.
    @usableFromInline
    func part<Member>(at path: KnownPath<Value>) -> SourceIdentity<Member> {
        let extras = extras
        let all = extras.parts.load() ?? extras.parts.storeIfNil(Lock([:]))
        return all.withLock { all in
            if let part = all[path.part]?.value as? SourceIdentity<Member> { return part }
            let part = SourceIdentity<Member>(scheduler)
            all = all.filter { $0.value.value != nil }
            all[path.part] = WeakObject(value: part)
            return part
        }
    }

    /// Whether the caller is inside of `withObservationTracking`.
    @usableFromInline var isTracked: Bool {
        let extras = extras
        return (extras.probe.load() ?? extras.probe.storeIfNil(AccessProbe())).isTracked
    }

    /// Whether there was a subscription by object.
    var hasObjects: Bool { lazyExtras.load()?.objects.load() != nil }

    /// Does `work` where the owner delivers.
    func onOwnersPlace(_ work: @escaping @Sendable () -> Void) {
        if let scheduler, !scheduler.isCurrent { scheduler.schedule(work) } else { work() }
    }
}

private struct ReadersKey: Hashable, Sendable {
    let collection: Part
    let finder: ObjectIdentifier
}

/// A stored property, known by its key path.
@usableFromInline
struct KnownPath<Root>: Hashable, Sendable {
    fileprivate let part: Part

    @usableFromInline
    init<Member>(_ path: any KeyPath<Root, Member> & Sendable) { part = Part(path) }
}

private struct WeakObject: Sendable {
    weak let value: (any AnyObject & Sendable)?
}

private struct Weak<Value: AnyObject & Sendable>: Sendable {
    weak let value: Value?
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
