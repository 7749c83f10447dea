internal import Promise
public import Synchronization

/// The actions of the owner of a store's loop, in the order in which they were added: activations, notifications, ends.
///
/// A separate object, which the loop can retain without the tree: a weak reference to that would make every access to
/// it slower.
@usableFromInline
final class Deliveries: Sendable {
    /// Not a bare closure, for which a generic queue would allocate another one.
    private struct Delivery: Sendable { let perform: @Sendable () -> Void }

    private struct Contents: Sendable {
        var waiting = Deque<Delivery>()
        /// Whether a thread performs them. Later ones are left to it.
        var isPerforming = false

        mutating func next() -> Delivery? {
            let next = waiting.popFirst()
            isPerforming = next != nil
            return next
        }
    }

    private let contents = Lock(Contents())
    /// Whether there may be some.
    @usableFromInline let areWaiting = Atomic(false)

    func add(_ action: @escaping @Sendable () -> Void) {
        contents.withLock { $0.waiting.append(Delivery(perform: action)) }
        areWaiting.store(true, ordering: .releasing)
    }

    /// Removes those that are waiting; none if a thread performs them.
    func take() -> [@Sendable () -> Void] {
        contents.withLock { contents in
            var taken: [@Sendable () -> Void] = []
            guard !contents.isPerforming else { return taken }
            while let next = contents.waiting.popFirst() { taken.append(next.perform) }
            return taken
        }
    }

    /// Performs them all, unless another thread does.
    func perform() {
        areWaiting.store(false, ordering: .releasing)
        var next = contents.withLock { $0.isPerforming ? nil : $0.next() }
        while let delivery = next {
            delivery.perform()
            next = contents.withLock { $0.next() }
        }
    }
}
