internal import Observation
internal import Promise
internal import PromisedSystem

/// The readers of a property inside of `withObservationTracking`, each of which is notified of one change.
///
/// Unchecked because of its fields, which are accessed with the gate.
final class TrackedReaders: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether there are readers that were not notified of a change yet.
    private(set) var areWaiting = false
    /// Whether one of them is on the main thread.
    private var areOnMain = false

    /// Represents the property to the registrar.
    private var property: Void { () }

    /// Adds the caller.
    func add() {
        registrar.access(self, keyPath: \.property)
        areWaiting = true
        if !areOnMain { areOnMain = MainScheduler.main.isCurrent }
    }

    /// Removes the readers.
    ///
    /// - Returns: Notifies them; nil if there are none.
    func take() -> (@Sendable () -> Void)? {
        guard areWaiting else { return nil }
        defer { (areWaiting, areOnMain) = (false, false) }
        return { [self, areOnMain] in
            notify()
            if areOnMain { notifyOnMain() }
        }
    }

    private func notify() { registrar.withMutation(of: self, keyPath: \.property) {} }

    /// Notifies readers on the main thread whose closures are still running, as they are registered only when those have
    /// returned: so they have if this is called on the main thread outside of such closures.
    private func notifyOnMain() {
        if MainScheduler.main.isCurrent, !isObservationTracked { return }
        MainScheduler.main.schedule(after: .zero) { [self] in if !areWaiting { notify() } }
    }
}
