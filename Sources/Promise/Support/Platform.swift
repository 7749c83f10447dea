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

// What the library needs of the C library, which has another name on each platform: a mutex, a value for each thread,
// and a line on standard error.

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

    @usableFromInline
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
}

extension Lock {
    /// The value, which an access changes in place while it holds the lock.
    package var exclusive: State {
        get { withLock { $0 } }
        nonmutating _modify {
            // The pointers stay valid: `self` retains the storage.
            let (primitive, state) = storage.withUnsafeMutablePointers { ($0, $1) }
            primitive.acquire()
            defer { primitive.release() }
            yield &state.pointee
        }
    }
}

// Unchecked because the compiler cannot verify the locking: the value is accessed in the methods above only.
extension Lock: @unchecked Sendable where State: Sendable {}

/// The platform's mutex, without the value that it protects. It must not move while it is in use.
@usableFromInline
struct LockPrimitive {
    #if canImport(Darwin)
        fileprivate typealias Value = os_unfair_lock
    #else
        fileprivate typealias Value = pthread_mutex_t
    #endif

    fileprivate var value = Value()
}

// By its address: several threads use it at once, which must not count as accesses of a Swift variable.
extension UnsafeMutablePointer<LockPrimitive> {
    private var value: UnsafeMutablePointer<LockPrimitive.Value> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: LockPrimitive.Value.self)
    }

    func prepare() {
        #if !canImport(Darwin)
            pthread_mutex_init(value, nil)
        #endif
    }

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

/// A value that exists once per thread: created on the thread's first access, destroyed when the thread exits.
///
/// Keys are a limited resource of the process, so declare it as a static constant.
@usableFromInline
package struct ThreadLocal<Value>: Sendable {
    /// The calling thread's value. It must not leave that thread.
    @usableFromInline
    package struct Reference {
        @usableFromInline let pointer: UnsafeMutablePointer<Value>

        @inlinable
        package init(pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

        @inlinable
        package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            try body(&pointer.pointee)
        }
    }

    /// Owns the value of one thread; an object, so that the key's destructor need not know the type.
    package final class Box {
        package let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        package init(_ value: Value) { pointer.initialize(to: value) }

        deinit { pointer.deinitialize(count: 1).deallocate() }
    }

    private let key: pthread_key_t
    private let makeValue: @Sendable () -> Value

    /// - Parameter makeValue: Creates the value of a thread.
    package init(_ makeValue: @escaping @Sendable () -> Value) {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // Optional on some platforms, never nil on any.
            let pointer: UnsafeMutableRawPointer? = pointer
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
        (self.key, self.makeValue) = (key, makeValue)
    }

    package var current: Reference {
        guard let box = pthread_getspecific(key) else { return create() }
        return Unmanaged<Box>.fromOpaque(box)._withUnsafeGuaranteedRef { Reference(pointer: $0.pointer) }
    }

    @inline(never)
    private func create() -> Reference {
        let box = Box(makeValue())
        pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
        return Reference(pointer: box.pointer)
    }
}

@available(*, unavailable)
extension ThreadLocal.Reference: Sendable {}

/// Writes a line to standard error; C's `stderr` is not usable in Swift 6 mode.
func printToStandardError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

/// The text of a static string at an address.
func staticText(at address: UInt) -> String? {
    UnsafePointer<UInt8>(bitPattern: address).map { String(cString: $0) }
}
