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

// What the library needs of the C library, which has another name on each platform.

/// The platform's mutex. It must not move while it is in use.
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

        init(pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

        @inlinable
        package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            try body(&pointer.pointee)
        }
    }

    /// Owns the value of one thread; an object, so that the key's destructor need not know the type.
    private final class Box {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ value: Value) { pointer.initialize(to: value) }

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
