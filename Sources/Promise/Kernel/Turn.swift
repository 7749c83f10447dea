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
package struct Turn {
    let state: UnsafeMutablePointer<TurnState>

    /// Puts a cell on the list, for a delivery together with what its mailbox held.
    func add(_ cell: Cell, _ task: TurnState.Task, _ mail: UInt = 0) {
        let reference = Unmanaged.passUnretained(cell)
        if cell.address == state.pointee.lent { state.pointee.lent = 0 } else { _ = reference.retain() }
        let isElsewhere = isElsewhere
        if isElsewhere, let scheduler { state.pointee.schedulers.append(scheduler) }
        state.pointee.list.append(.init(cell: reference, task: task, mail: mail, isElsewhere: isElsewhere))
    }

    /// Fires a handler; when that puts it on the list, the reference to it goes there.
    func fire(_ handler: Unmanaged<Cell>) -> Bool {
        handler._withUnsafeGuaranteedRef { cell in
            let (outer, address) = (state.pointee.lent, cell.address)
            state.pointee.lent = address
            let hasFired = cell.fire(on: self)
            let isStillOurs = state.pointee.lent == address
            state.pointee.lent = outer
            if isStillOurs { handler.release() }
            return hasFired
        }
    }

    /// What is to be let go of: a whole chain may hang on it.
    enum Grave {
        /// A cell, or what holds a value or an error of the user's.
        case object(Unmanaged<AnyObject>)
        /// The two words of a closure. All closures are alike there, so its type does not matter.
        case work(Closure)
    }

    typealias Closure = (code: UInt, context: UInt)

    func release(_ grave: Grave) {
        switch grave {
        case .object(let object): object.release()
        case .work(var closure):
            withUnsafeMutableBytes(of: &closure) {
                _ = $0.assumingMemoryBound(to: (@Sendable () -> Void).self).deinitialize()
            }
        }
    }

    @usableFromInline static var current: Turn {
        Turn(state: pthread_getspecific(key)?.assumingMemoryBound(to: TurnState.self) ?? install())
    }

    @inline(never)
    private static func install() -> UnsafeMutablePointer<TurnState> {
        let pointer = UnsafeMutablePointer<TurnState>.allocate(capacity: 1)
        pointer.initialize(to: TurnState())
        pthread_setspecific(key, pointer)
        return pointer
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // Optional on some platforms, never nil on any.
            let pointer: UnsafeMutableRawPointer? = pointer
            guard let state = pointer?.assumingMemoryBound(to: TurnState.self) else { return }
            state.deinitialize(count: 1).deallocate()
        }
        return key
    }()
}

@available(*, unavailable)
extension Turn: Sendable {}
