public import Promise
internal import Synchronization
public import PromisedSystem

/// The storage of a ``StateSource``: its model, and the identity of its actions.
public final class SourceState<Model: Sendable>: Sendable {
    @usableFromInline let subject = Subject<Model>()
    @usableFromInline let identity = SourceIdentity<Model>()
    private let first = OnceValue<Model>()
    private let begun = Atomic(false)
    private let lazyOwner = AtomicLazyReference<ActionOwner>()
    private let log: ActionLog?
    /// Whether the model follows from a system, from other sources or from a storage.
    @usableFromInline let isDerived: Bool

    /// Creates the state without a model: the first one is that of ``StateSource/initialModel``.
    ///
    /// - Parameter log: Records the calls of the source's actions. Pass the same one to all sources whose calls belong
    ///   together. Without one, calls that cannot be executed are reported to `PromiseDiagnostics`.
    public init(log: ActionLog? = nil) { (self.log, isDerived) = (log, false) }

    init(log: ActionLog? = nil, isDerived: Bool) { (self.log, self.isDerived) = (log, isDerived) }

    // The sources of the model outlive the state machine, and end with it.
    deinit { subject.finish() }

    /// The model; nil before the first read.
    @inlinable var present: Model? { isBegun ? subject.present : nil }

    /// Notes that the model is set next, if an exploration observes this thread: to that, it is a value outside of the
    /// world.
    @inlinable
    func modelIsSet() {
        if !isDerived { noteSetting(valueOf: SourceState.self) }
    }

    /// - Parameter read: Returns the present model, and begins with the first one. The source retains it.
    @inlinable
    func source(read: @escaping @Sendable () -> Model) -> Source<Model> {
        subject.source(identity, read: read)
    }

    @usableFromInline var isBegun: Bool { begun.load(ordering: .acquiring) }

    /// The model at the first read: the initial one, unless another one was set before.
    @usableFromInline
    func begin(_ source: some StateSource<Model>) -> Model {
        if subject.present == nil { subject.publish(initial(source), ifStillAt: 0) }
        let isFirst = !begun.exchange(true, ordering: .acquiringAndReleasing)
        let model = subject.present ?? initial(source)
        if isFirst { source.start() }
        return model
    }

    private func initial(_ source: some StateSource<Model>) -> Model {
        first.value {
            let model = source.initialModel
            // It may have been decoded.
            source.adoptActions(in: model)
            return model
        }
    }

    /// The owner of the source's actions.
    @usableFromInline
    func owner(_ source: some StateSource<Model>) -> ActionOwner {
        if let owner = lazyOwner.load() { return owner }
        let identifier = (source as? any DecodableActionSource)?.sourceIdentifier
        return lazyOwner.storeIfNil(
            ActionOwner(name: "\(type(of: source))", identifier: identifier, log: log))
    }
}
