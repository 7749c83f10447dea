internal import Observation
internal import Promise
internal import PromisedSystem

/// The readers of a property inside of `withObservationTracking`, each of which is notified of one change.
final class TrackedReaders: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// Represents the property to the registrar.
    private var property: Void { () }

    /// Adds the caller.
    func add() { registrar.access(self, keyPath: \.property) }

    func notify() { registrar.withMutation(of: self, keyPath: \.property) {} }

    /// Notifies readers on the main thread whose closures are still running, as they are registered only when those have
    /// returned: so they have if this is called on the main thread outside of such closures.
    ///
    /// - Parameter isReadAgain: Whether there are new readers, which have seen the change.
    func notifyLate(unless isReadAgain: @escaping @Sendable () -> Bool) {
        if MainScheduler.main.isCurrent, !isObservationTracked { return }
        MainScheduler.main.schedule(after: .zero) { [self] in if !isReadAgain() { notify() } }
    }
}
