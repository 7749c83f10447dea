/// A command to a system that is looked at while it runs: what ``RemoteTimeTravel`` sends, and what the functions of
/// ``TimeTravel`` of the same names do.
public enum TravelCommand: Sendable, Hashable, Codable {
    /// The treatment of events from outside while the system is stopped.
    public enum Arriving: String, Sendable, Hashable, Codable {
        /// They are processed when the system continues.
        case queue
        /// They are dropped, and counted.
        case drop
    }

    /// ``TimeTravel/jump(to:)``.
    case jump(to: Int)
    /// ``TimeTravel/showPresent()``.
    case showPresent
    /// ``TimeTravel/stop(arriving:)``.
    case stop(arriving: Arriving)
    /// ``TimeTravel/step()``.
    case step
    /// ``TimeTravel/resume()``.
    case resume
    /// ``TimeTravel/lock()``.
    case lock
    /// ``TimeTravel/unlock()``.
    case unlock
    /// ``TimeTravel/branch(from:)``.
    case branch(from: Int)
    /// ``TimeTravel/without(turn:)``.
    case without(turn: Int)
    /// ``TimeTravel/play(speed:)``.
    case play(speed: Double)
    /// ``TimeTravel/send(_:file:line:)``, of the event that this JSON text is.
    case send(json: String)
}

/// Whether a system processes what arrives.
public enum TravelCondition: String, Sendable, Hashable, Codable {
    /// It does.
    case running
    /// By ``TimeTravel/stop(arriving:)``.
    case stopped
    /// By ``TimeTravel/lock()``.
    case locked
}

/// The state that readers of a system see.
public enum TravelShowing: Sendable, Hashable, Codable {
    /// The present one.
    case present
    /// The state of an earlier turn.
    case turn(Int)
    /// The state that there would be without the event of a turn.
    case without(turn: Int)
}
