public import Foundation

/// The stored form of a machine, so that another process can go on with it: its state, the events that were not
/// processed yet, and the timers that were running.
public struct SavedMachine<State: Codable & Sendable, Event: Codable & Sendable>: Codable, Sendable {
    /// The settled state.
    public var state: State
    /// The events whose transitions were not over, in order: that of the running transition first.
    public var events: [Event]
    /// The running timers, by name.
    public var timers: [String: SavedTimer]

    /// Creates a machine to store.
    public init(state: State, events: [Event] = [], timers: [String: SavedTimer] = [:]) {
        (self.state, self.events, self.timers) = (state, events, timers)
    }
}

/// A timer that was running when it was stored.
public struct SavedTimer: Codable, Sendable, Hashable {
    /// How long it runs from start to end.
    public var duration: Duration
    /// How long it still had to run when it was stored.
    public var remaining: Duration
    /// When it is due.
    public var due: Date

    /// Creates a timer to store.
    public init(duration: Duration, remaining: Duration, due: Date) {
        (self.duration, self.remaining, self.due) = (duration, remaining, due)
    }
}

/// How long a timer runs that was running when its machine was stored.
public enum TimerRestoration: Sendable, Hashable {
    /// Until the instant at which it was due, at once if that is over: the time between the two processes counts.
    case dueTime
    /// As long as it still had to run when it was stored: the time between the two processes does not count.
    case remainingTime
    /// As long as if it had not been started before.
    case fromStart

    /// The stored number may be any.
    func rest(of timer: SavedTimer, at now: Date) -> Duration {
        let rest =
            switch self {
            case .dueTime: timer.due.duration(since: now)
            case .remainingTime: timer.remaining
            case .fromStart: timer.duration
            }
        return min(max(.zero, rest), .longest)
    }
}
