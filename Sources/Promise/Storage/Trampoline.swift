/// The pending work of one thread: a list that prevents nested delivery, and a list that prevents recursive release.
///
/// Every promise that is settled, started or attached to is enqueued in the list of the current thread; the outermost
/// such call drains the list, first in, first out, before it returns. Each thread has one trampoline in thread-local
/// storage that no other thread accesses, so it needs no lock. It is a pointer because a class would add reference
/// counting to each access.
@usableFromInline
package struct Trampoline {
    let state: UnsafeMutablePointer<TrampolineState>

    /// Enqueues a task for a storage; for a delivery together with the entries that were taken from its waiter list.
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

    /// Fires a handler and consumes the reference to it: it is transferred to the list if firing enqueues the handler,
    /// otherwise released. Returns false if the handler was cancelled.
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

    /// An object or closure whose release is deferred, as it may retain a whole chain.
    enum DeferredRelease {
        /// A promise's storage, or an object that holds a user's value or error.
        case object(Unmanaged<AnyObject>)
        /// The two words of a closure. All closures have the same layout, so its type does not matter.
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

    @usableFromInline static var current: Trampoline { Trampoline(state: states.current.pointer) }

    private static let states = ThreadLocal { TrampolineState() }
}

@available(*, unavailable)
extension Trampoline: Sendable {}
