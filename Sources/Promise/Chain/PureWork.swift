/// Pure work of the user's that is done under a lock, so that it can change a value where it is.
///
/// Being pure it wants nothing else. If it does all the same, nothing waits for it, and it waits for nothing: while it
/// is under way, its thread asks for no lock that another piece of pure work may hold.
@usableFromInline
package struct PureWork: ~Copyable {
    private let turn: Turn

    /// - Parameter origin: What it is done for.
    @usableFromInline
    package init(for origin: Origin) {
        turn = Turn.current
        turn.state.pointee.pureWork += 1
        turn.state.pointee.pureWorkPlace = origin.place
    }

    deinit {
        turn.state.pointee.pureWork -= 1
        guard turn.state.pointee.pureWork == 0 else { return }
        while let action = turn.state.pointee.afterPureWork.popFirst() { action.run() }
    }

    /// Which thread does it.
    @usableFromInline package var thread: UInt { turn.address }

    /// Whether the calling thread is in the middle of some.
    @usableFromInline package static var isUnderWay: Bool { Turn.current.state.pointee.pureWork > 0 }

    /// What the latest on this thread was done for.
    package static var origin: Origin { Origin(place: Turn.current.state.pointee.pureWorkPlace) }

    /// Says that work on the calling thread is meant for a part of a value which has no such part, and so was not done.
    @usableFromInline package static func missesPart() { Turn.current.state.pointee.missedParts &+= 1 }

    /// How often that was said on the calling thread.
    @usableFromInline package static var missedParts: Int {
        get { Turn.current.state.pointee.missedParts }
        set { Turn.current.state.pointee.missedParts = newValue }
    }

    /// Calls `action` when the calling thread is through with it; at once if it does none.
    package static func afterwards(_ action: @escaping @Sendable () -> Void) {
        let turn = Turn.current
        if turn.state.pointee.pureWork > 0 {
            turn.state.pointee.afterPureWork.append(Action(action))
        } else {
            action()
        }
    }
}

@available(*, unavailable)
extension PureWork: Sendable {}
