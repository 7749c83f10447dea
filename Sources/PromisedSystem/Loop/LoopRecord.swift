public import Promise

/// What one event did: a whole turn of the loop, told when it is over.
public struct LoopRecord<State: Sendable, Event: Sendable>: Sendable {
    /// How a turn ended.
    public enum Outcome: Sendable {
        /// The transition gave the next state.
        case settled
        /// The transition was rejected with this error; the state is as before.
        case failed(any Error)
        /// The transition was cancelled, by an event that replaces it or by its own work; the state is as
        /// before.
        case cancelled
        /// The event was for a part of the state that was not there, as an element that has gone: the reducer of that
        /// part, which was lifted to the whole, was not called. What other reducers have made of the event is in
        /// ``LoopRecord/after``.
        case missed
        /// Middleware stopped the event; no reducer saw it.
        case stopped
        /// The event had no turn.
        case dropped(DropReason)
    }

    /// Why an event had no turn.
    public enum DropReason: Sendable {
        /// A transition was running and the event's policy is ``EventPolicy/dropWhileBusy``.
        case busy
        /// Another of its key came before there was quiet (``EventPolicy/debounce(_:key:)``).
        case debounced
        /// Another of its key had its turn just before (``EventPolicy/throttle(_:key:)``).
        case throttled
        /// The effect that sent it was cancelled while it waited.
        case withdrawn
        /// It was the last of an endless chain of events that beget each other.
        case runaway
    }

    /// The number of the turn, from 1. A dropped event has no turn and carries the last one's number.
    public let number: Int
    /// The event.
    public let event: Event
    /// Where the event was sent.
    public let origin: Origin
    /// The settled state that the reducer was given.
    public var before: State { boxBefore.value }
    /// The settled state when the turn was over.
    public var after: State { boxAfter.value }
    /// Every state that was shown because of this turn, in order.
    public var shown: [Shown<State>] { moments.map(\.notification.shown) }
    /// How it ended.
    public let outcome: Outcome
    /// How long the event waited for its turn, in the time of the scheduler.
    public let queueWait: Duration
    /// How long the turn took, in the time of the scheduler.
    public let duration: Duration

    @usableFromInline let boxBefore: ValueBox<State>
    @usableFromInline let boxAfter: ValueBox<State>
    @usableFromInline let moments: [StateChange<State>]

    @inlinable
    init(
        number: Int, event: Event, origin: Origin, before: ValueBox<State>, after: ValueBox<State>,
        shown: [StateChange<State>], outcome: Outcome, queueWait: Duration, duration: Duration
    ) {
        (self.number, self.event, self.origin) = (number, event, origin)
        (boxBefore, boxAfter, moments, self.outcome) = (before, after, shown, outcome)
        (self.queueWait, self.duration) = (queueWait, duration)
    }
}
