/// Pure work of the user's that is done under a lock, so that it can change a value where it is.
///
/// Being pure it wants nothing else. If it does all the same, nothing waits for it, and it waits for nothing: while it
/// is under way, its thread asks for no lock that another piece of pure work may hold.
@usableFromInline
package struct ReducerScope: ~Copyable {
    private let trampoline: Trampoline

    /// - Parameter origin: What it is done for.
    @usableFromInline
    package init(for origin: Origin) {
        trampoline = Trampoline.current
        trampoline.state.pointee.reducerDepth += 1
        trampoline.state.pointee.reducerPlace = origin.place
    }

    deinit {
        trampoline.state.pointee.reducerDepth -= 1
        guard trampoline.state.pointee.reducerDepth == 0 else { return }
        while let action = trampoline.state.pointee.afterReducer.popFirst() { action.run() }
    }

    /// Which thread does it.
    @usableFromInline package var thread: UInt { trampoline.address }

    /// Whether the calling thread is in the middle of some.
    @usableFromInline package static var isActive: Bool { Trampoline.current.state.pointee.reducerDepth > 0 }

    /// What the latest on this thread was done for.
    package static var origin: Origin { Origin(place: Trampoline.current.state.pointee.reducerPlace) }

    /// Says that work on the calling thread is meant for a part of a value which has no such part, and so was not done.
    @usableFromInline package static func recordMissedPart() {
        Trampoline.current.state.pointee.missedParts &+= 1
    }

    /// How often that was said on the calling thread.
    @usableFromInline package static var missedParts: Int {
        get { Trampoline.current.state.pointee.missedParts }
        set { Trampoline.current.state.pointee.missedParts = newValue }
    }

    /// Calls `action` when the calling thread is through with it; at once if it does none.
    package static func afterReducer(_ action: @escaping @Sendable () -> Void) {
        let trampoline = Trampoline.current
        if trampoline.state.pointee.reducerDepth > 0 {
            trampoline.state.pointee.afterReducer.append(Action(action))
        } else {
            action()
        }
    }
}

@available(*, unavailable)
extension ReducerScope: Sendable {}
