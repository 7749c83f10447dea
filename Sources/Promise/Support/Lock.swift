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

/// A mutex that protects a value, in one allocation. Copies refer to the same mutex and value.
///
/// It is not `Synchronization.Mutex`, whose implementation on Linux is invisible to the thread sanitizer, so that
/// correct programs are reported as races.
@usableFromInline
package struct Lock<State> {
    @usableFromInline
    final class Storage: ManagedBuffer<LockPrimitive, State> {
        deinit {
            withUnsafeMutablePointers { primitive, state in
                primitive.destroy()
                state.deinitialize(count: 1)
            }
        }
    }

    @usableFromInline let storage: Storage

    @inlinable
    package init(_ state: consuming State) {
        storage = unsafeDowncast(
            Storage.create(minimumCapacity: 1) { _ in LockPrimitive() }, to: Storage.self)
        let initial = state
        storage.withUnsafeMutablePointers { primitive, state in
            primitive.prepare()
            state.initialize(to: initial)
        }
    }

    /// Runs `body` with exclusive access to the value.
    ///
    /// The lock is not recursive: a nested call in `body` deadlocks. `body` should be short, and must not call a user's
    /// closure, except a pure one. It must not release a user's value either, as that may run a `deinit` of the user's:
    /// see ``exchange(for:)``.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try storage.withUnsafeMutablePointers { primitive, state in
            primitive.acquire()
            defer { primitive.release() }
            return try body(&state.pointee)
        }
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
        storage.withUnsafeMutablePointers { primitive, state in
            guard primitive.tryAcquire() else { return nil }
            defer { primitive.release() }
            return body(&state.pointee)
        }
    }
}

// Unchecked because the compiler cannot verify the locking: the value is accessed in the methods above only.
extension Lock: @unchecked Sendable where State: Sendable {}

/// The platform's mutex. It must not move while it is in use.
@usableFromInline
struct LockPrimitive {
    #if canImport(Darwin)
        fileprivate typealias Value = os_unfair_lock
    #else
        fileprivate typealias Value = pthread_mutex_t
    #endif

    fileprivate var value = Value()

    @usableFromInline
    init() {}
}

// By its address: several threads use it at once, which must not count as accesses of a Swift variable.
extension UnsafeMutablePointer<LockPrimitive> {
    private var value: UnsafeMutablePointer<LockPrimitive.Value> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: LockPrimitive.Value.self)
    }

    @usableFromInline
    func prepare() {
        #if !canImport(Darwin)
            pthread_mutex_init(value, nil)
        #endif
    }

    @usableFromInline
    func destroy() {
        #if !canImport(Darwin)
            pthread_mutex_destroy(value)
        #endif
    }

    @usableFromInline
    func acquire() {
        #if canImport(Darwin)
            os_unfair_lock_lock(value)
        #else
            pthread_mutex_lock(value)
        #endif
    }

    @usableFromInline
    func tryAcquire() -> Bool {
        #if canImport(Darwin)
            os_unfair_lock_trylock(value)
        #else
            pthread_mutex_trylock(value) == 0
        #endif
    }

    @usableFromInline
    func release() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(value)
        #else
            pthread_mutex_unlock(value)
        #endif
    }
}

@available(*, unavailable)
extension LockPrimitive: Sendable {}
