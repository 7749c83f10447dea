public import Synchronization

/// Observes the chains that a thread starts.
package protocol ChainObserver: AnyObject, Sendable {
    /// A promise was made, or has begun its work, that a resolver settles.
    ///
    /// - Parameter outcome: Its outcome; nil before it has settled, and after it was released.
    func made(_ promise: StartedPromise, outcome: @escaping @Sendable () -> SettledValue?)
    /// A promise was started.
    func started(_ promise: StartedPromise)
    /// A chain was attached to a promise whose outcome its starter does not determine: it was started before, or a
    /// resolver settles it.
    func joined(_ promise: StartedPromise)
    /// A value is set next that any code may read.
    ///
    /// - Parameter holder: The type of what holds it.
    func sets(valueOf holder: Any.Type)
}

/// The value of a promise, or its error.
package enum SettledValue: Sendable {
    case value(any Sendable)
    case error(any Error)
}

/// A promise that was started, referenced weakly.
package struct StartedPromise: Sendable {
    private let reference: WeakStorageReference
    /// The scheduler on which it was started; nil if it is not known.
    package let scheduler: (any SerialScheduler)?

    init(_ storage: PromiseStorage, _ scheduler: (any SerialScheduler)?) {
        (reference, self.scheduler) = (WeakStorageReference(storage), scheduler)
    }

    /// Whether it has settled; nil if it was released, so that its outcome can't be observed any more.
    package var isSettled: Bool? { reference.storage?.isSettled }

    package func isSame(as other: StartedPromise) -> Bool {
        reference.storage != nil && reference.storage === other.reference.storage
    }
}

/// How many threads observe chains. Read before anything is done for an observer that may not exist.
@usableFromInline let chainObservers = Atomic(0)

@inlinable var hasChainObservers: Bool { chainObservers.load(ordering: .relaxed) > 0 }

/// Calls `body` with an observer of the chains that this thread starts meanwhile.
package func observingChains<Result>(by observer: any ChainObserver, _ body: () -> Result) -> Result {
    let state = Trampoline.current.state
    let outer = state.pointee.observer
    state.pointee.observer = observer
    chainObservers.wrappingAdd(1, ordering: .relaxed)
    defer {
        chainObservers.wrappingSubtract(1, ordering: .relaxed)
        state.pointee.observer = outer
    }
    return body()
}

extension Trampoline {
    func noteStart(of storage: PromiseStorage, on scheduler: (any SerialScheduler)?) {
        if let observer = state.pointee.observer { observer.started(StartedPromise(storage, scheduler)) }
    }

    func noteJoining(_ storage: PromiseStorage) {
        guard let observer = state.pointee.observer, !storage.isConstant else { return }
        observer.joined(StartedPromise(storage, storage.schedulerOfStart))
    }
}

/// Whether this thread has an observer of chains.
@inlinable package var isThreadObserved: Bool { hasChainObservers && Trampoline.isObserved }

/// Informs the observer of this thread, if any, that a value is set next.
///
/// - Parameter holder: The type of what holds it; evaluated only for an observer.
@inlinable
package func noteSetting(valueOf holder: @autoclosure () -> Any.Type) {
    if hasChainObservers { Trampoline.noteSetting(valueOf: holder()) }
}

extension Trampoline {
    @usableFromInline static var isObserved: Bool { current.state.pointee.observer != nil }

    @usableFromInline
    static func noteSetting(valueOf holder: Any.Type) {
        current.state.pointee.observer?.sets(valueOf: holder)
    }

    @usableFromInline
    static func noteJoining(_ storage: PromiseStorage) { current.noteJoining(storage) }
}

extension PromiseStorage {
    /// Whether it was created with its outcome.
    fileprivate var isConstant: Bool {
        !kind.contains(any: .hasUpstream | .resolvable) && (has(.inlineInput) || !has(.hasScheduler))
    }

    /// The scheduler on which it was started, as far as it or a promise upstream has kept it.
    fileprivate var schedulerOfStart: (any SerialScheduler)? {
        if let scheduler { return scheduler }
        guard !isSettled else { return nil }
        return upstream?.schedulerOfStart
    }
}
