internal import Promise
internal import Synchronization
public import PromisedSystem

/// The storage of a ``StateSource``: its model, and the identity of its actions.
public final class SourceState<Model: Sendable>: Sendable {
    @usableFromInline let value = OwnedValue<Model>()
    private let first = OnceValue<Model>()
    private let isStarted = Atomic(false)
    private let lazyOwner = AtomicLazyReference<ActionOwner>()
    private let log: ActionLog?

    /// Creates the state without a model: the first one is that of ``StateSource/initialModel``.
    ///
    /// - Parameter log: Records the calls of the source's actions. Pass the same one to all sources whose calls belong
    ///   together. Without one, calls that cannot be executed are reported to `PromiseDiagnostics`.
    public init(log: ActionLog? = nil) { self.log = log }

    /// The model; nil before the first read.
    @inlinable var present: Model? { isBegun ? value.present : nil }

    @usableFromInline var isBegun: Bool { isStarted.load(ordering: .acquiring) }

    /// The model at the first read: the initial one, unless another one was set before.
    @usableFromInline
    func begin(_ source: some StateSource<Model>) -> Model {
        if value.present == nil { value.setFirst(initial(source)) }
        let isFirst = !isStarted.exchange(true, ordering: .acquiringAndReleasing)
        let model = value.present ?? initial(source)
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
