internal import Promise
public import Synchronization

/// What the owner of a store's loop performs, in the order in which it was added: activations, notifications, ends.
///
/// A separate object, which the loop can retain without the tree: a weak reference to that would make every access to
/// it slower.
@usableFromInline
final class Deliveries: Sendable {
    private struct Contents: Sendable {
        var waiting = Deque<@Sendable () -> Void>()
        /// Whether a thread performs them. What is added meanwhile is left to it.
        var isPerforming = false

        mutating func next() -> (@Sendable () -> Void)? {
            let next = waiting.popFirst()
            isPerforming = next != nil
            return next
        }
    }

    private let contents = Lock(Contents())
    /// Whether there may be some.
    @usableFromInline let areWaiting = Atomic(false)

    func add(_ action: @escaping @Sendable () -> Void) {
        contents.withLock { $0.waiting.append(action) }
        areWaiting.store(true, ordering: .releasing)
    }

    /// Removes those that are waiting; none if a thread performs them.
    func take() -> [@Sendable () -> Void] {
        contents.withLock { contents in
            var taken: [@Sendable () -> Void] = []
            guard !contents.isPerforming else { return taken }
            while let next = contents.waiting.popFirst() { taken.append(next) }
            return taken
        }
    }

    /// Performs them all, unless another thread does.
    func perform() {
        areWaiting.store(false, ordering: .releasing)
        var next = contents.withLock { $0.isPerforming ? nil : $0.next() }
        while let action = next {
            action()
            next = contents.withLock { $0.next() }
        }
    }
}
