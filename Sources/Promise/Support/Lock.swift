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
