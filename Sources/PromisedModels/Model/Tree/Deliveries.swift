internal import Promise
internal import PromisedSystem

/// The actions of the owner of a store's loop, in the order in which they were added: activations, notifications, ends.
///
/// A separate object, which the loop can retain without the tree: a weak reference to that would make every access to
/// it slower.
@usableFromInline
final class Deliveries: Sendable {
    /// Not a bare closure, for which a generic queue would allocate another one.
    private struct PendingDelivery: Sendable { let perform: @Sendable () -> Void }

    /// Of the thread that performs them: later ones are left to it. Beside that of the loop, as at the end of a store
    /// the thread that ends it performs them without the loop.
    private let ownership = DrainOwnership<PendingDelivery>()

    /// Whether there may be some.
    @usableFromInline var areWaiting: Bool { ownership.hasPending }

    func add(_ action: @escaping @Sendable () -> Void) {
        _ = ownership.enqueue(PendingDelivery(perform: action), needsAdmission: false)
    }

    /// Removes those that are waiting; none if a thread performs them.
    func take() -> [@Sendable () -> Void] {
        var taken: [@Sendable () -> Void] = []
        drain { taken.append($0.perform) }
        return taken
    }

    /// Performs them all, unless another thread does.
    func perform() { drain { $0.perform() } }

    private func drain(_ body: (PendingDelivery) -> Void) {
        guard ownership.tryAcquirePending() else { return }
        repeat {
            while let next = ownership.popFirst() { body(next) }
        } while !ownership.release()
    }
}
