/// Why a command was not performed.
public enum TimeTravelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No such turn is kept, or none before it.
    case unknownTurn(Int, kept: Range<Int>)
    /// The first state has no event that could be left out.
    case noEvent(Int)
    /// The transition of an event is asynchronous, so that its answers would have to be known.
    case asynchronous(Int, event: String)
    /// The speed is out of bounds.
    case unusableSpeed(Double)
    /// The system is locked.
    case locked
    /// The system has ended.
    case ended
    /// A message of a ``TimeTravelTransport`` is none, or the other side has not performed it, for this reason.
    case refused(String)
    /// The connection was closed before there was an answer.
    case disconnected
    /// The socket at this path cannot be made, or nothing can be connected with it.
    case socket(path: String, reason: String)

    /// The fault, and the way out.
    public var description: String {
        switch self {
        case .unknownTurn(let index, let kept):
            kept.isEmpty
                ? "There is no turn \(index): none are kept. Create the TimeTravel with 'keeping: .last(1_000)'."
                : "There is no turn \(index). \(kept.lowerBound) to \(kept.upperBound - 1) are kept."
        case .noEvent(let index):
            "Turn \(index) is the state that the history begins with: it has no event to leave out."
        case .asynchronous(let index, let event):
            "Turn \(index), '\(event)', has an asynchronous transition, and its state before would be another one: "
                + "what it would lead to is not known. Record the session, and run the recording again."
        case .unusableSpeed(let speed):
            "\(speed) is no speed. Pass one from 0.001 to 1,000; 1 is the original pace."
        case .locked: "The system is locked. Call unlock() first."
        case .ended: "The system has ended: it was stopped or released."
        case .refused(let reason): reason
        case .disconnected: "The connection is closed. Make a new one."
        case .socket(let path, let reason): "The socket \(path) cannot be used: \(reason)."
        }
    }
}
