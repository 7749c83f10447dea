internal import Promise
internal import Synchronization

/// A mutex that the thread which holds it may acquire again.
package final class RecursiveLock: Sendable {
    private let lock = Lock(())
    /// The thread that holds the lock, or 0. A thread finds its own identity here only while it holds the lock.
    private let owner = Atomic<UInt>(0)

    package init() {}

    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = currentThread
        if owner.load(ordering: .relaxed) == thread { return try body() }
        return try lock.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            return try body()
        }
    }
}
