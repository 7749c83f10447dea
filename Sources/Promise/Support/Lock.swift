#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#elseif canImport(Bionic)
    internal import Bionic
#elseif canImport(WASILibc)
    internal import WASILibc
#endif

/// A value that is read and changed only under a lock.
///
/// Unchecked because the compiler cannot see the lock: `State` is reachable through `withLock` alone. It is
/// not `Synchronization.Mutex`, which on Linux parks its waiters where the thread sanitizer does not look,
/// so that correct programs are reported as races.
@usableFromInline
package final class Lock<State>: @unchecked Sendable {
    // Before the value, so that it is in the same place whatever that is.
    #if canImport(Darwin)
        private let primitive = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    #else
        private let primitive = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #endif
    @exclusivity(unchecked) @usableFromInline var state: State

    @usableFromInline
    package init(_ state: State) {
        self.state = state
        #if canImport(Darwin)
            primitive.initialize(to: os_unfair_lock())
        #else
            primitive.initialize(to: pthread_mutex_t())
            pthread_mutex_init(primitive, nil)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
        primitive.deallocate()
    }

    /// Runs `body` with the value, alone. Must not be called again from inside `body`, and what `body` runs
    /// should be short and ours: never a closure of the user's, unless it is ``ReducerScope``. A value of the user's
    /// must not be released in it either, as its `deinit` is such a closure: see ``exchange(for:)``.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        acquire()
        defer { release() }
        return try body(&state)
    }

    /// Puts another value in the place of the one that is there.
    ///
    /// - Returns: The one that was there, which so is released outside of the lock.
    @inlinable @discardableResult
    package func exchange(for other: consuming State) -> State {
        withLock { swap(&$0, &other) }
        return other
    }

    /// As ``withLock(_:)``; nil if somebody has the lock, this thread perhaps.
    package func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? {
        #if canImport(Darwin)
            guard os_unfair_lock_trylock(primitive) else { return nil }
        #else
            guard pthread_mutex_trylock(primitive) == 0 else { return nil }
        #endif
        defer { release() }
        return body(&state)
    }

    @usableFromInline
    func acquire() {
        #if canImport(Darwin)
            os_unfair_lock_lock(primitive)
        #else
            pthread_mutex_lock(primitive)
        #endif
    }

    @usableFromInline
    func release() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(primitive)
        #else
            pthread_mutex_unlock(primitive)
        #endif
    }
}
