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

/// A mutex that protects a value.
///
/// The conformance is unchecked because the compiler cannot verify the locking: `state` is accessed in the methods
/// below only. It is not `Synchronization.Mutex`, whose implementation on Linux is invisible to the thread sanitizer,
/// so that correct programs are reported as races.
@usableFromInline
package final class Lock<State>: @unchecked Sendable {
    // Declared before the value, so that its offset does not depend on `State`.
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

    /// Runs `body` with exclusive access to the value.
    ///
    /// The lock is not recursive: a nested call in `body` deadlocks. `body` should be short, and must not call a user's
    /// closure, except in a ``ReducerScope``. It must not release a user's value either, as that may run a `deinit` of
    /// the user's: see ``exchange(for:)``.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        acquire()
        defer { release() }
        return try body(&state)
    }

    /// Replaces the value.
    ///
    /// - Returns: The previous value, so that it is released outside the lock.
    @inlinable @discardableResult
    package func exchange(for other: consuming State) -> State {
        withLock { swap(&$0, &other) }
        return other
    }

    /// Like ``withLock(_:)``, but non-blocking: returns nil if the lock is held, by this thread or another.
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
