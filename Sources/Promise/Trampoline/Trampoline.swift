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

/// What one thread has still to do: the list that keeps delivery from nesting, and the one that keeps
/// tearing down from recursing.
///
/// Whatever is settled, started or attached goes to the list of its thread; the outermost such call works
/// the list off before it returns, first in, first out. There is one turn to a thread, and no other thread
/// touches it, so it needs no lock. It is a pointer, as a class would cost a reference count at each look.
@usableFromInline
package struct Trampoline {
    let state: UnsafeMutablePointer<TrampolineState>

    /// Puts a cell on the list, for a delivery together with what its mailbox held.
    func add(_ storage: PromiseStorage, _ task: TrampolineState.Task, _ waiters: UInt = 0) {
        let reference = Unmanaged.passUnretained(storage)
        if storage.address == state.pointee.transferred {
            state.pointee.transferred = 0
        } else {
            _ = reference.retain()
        }
        let belongsToOtherScheduler = belongsToOtherScheduler
        if belongsToOtherScheduler, let scheduler { state.pointee.schedulers.append(scheduler) }
        state.pointee.list.append(
            .init(
                storage: reference, task: task, waiters: waiters,
                belongsToOtherScheduler: belongsToOtherScheduler))
    }

    /// Fires a handler; when that puts it on the list, the reference to it goes there.
    func fire(_ handler: Unmanaged<PromiseStorage>) -> Bool {
        handler._withUnsafeGuaranteedRef { storage in
            let (outer, address) = (state.pointee.transferred, storage.address)
            state.pointee.transferred = address
            let hasFired = storage.fire(on: self)
            let isStillOurs = state.pointee.transferred == address
            state.pointee.transferred = outer
            if isStillOurs { handler.release() }
            return hasFired
        }
    }

    /// What is to be let go of: a whole chain may hang on it.
    enum DeferredRelease {
        /// A cell, or what holds a value or an error of the user's.
        case object(Unmanaged<AnyObject>)
        /// The two words of a closure. All closures are alike there, so its type does not matter.
        case work(Closure)
    }

    typealias Closure = (code: UInt, context: UInt)

    func release(_ deferred: DeferredRelease) {
        switch deferred {
        case .object(let object): object.release()
        case .work(var closure):
            withUnsafeMutableBytes(of: &closure) {
                _ = $0.assumingMemoryBound(to: (@Sendable () -> Void).self).deinitialize()
            }
        }
    }

    @usableFromInline static var current: Trampoline {
        Trampoline(
            state: pthread_getspecific(key)?.assumingMemoryBound(to: TrampolineState.self) ?? install())
    }

    @inline(never)
    private static func install() -> UnsafeMutablePointer<TrampolineState> {
        let pointer = UnsafeMutablePointer<TrampolineState>.allocate(capacity: 1)
        pointer.initialize(to: TrampolineState())
        pthread_setspecific(key, pointer)
        return pointer
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // Optional on some platforms, never nil on any.
            let pointer: UnsafeMutableRawPointer? = pointer
            guard let state = pointer?.assumingMemoryBound(to: TrampolineState.self) else { return }
            state.deinitialize(count: 1).deallocate()
        }
        return key
    }()
}

@available(*, unavailable)
extension Trampoline: Sendable {}
