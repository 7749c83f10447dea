public import Promise

/// The record of one event, delivered to ``System/onLoop(_:)`` when its turn is over or when it was dropped.
///
/// A turn is one run of the loop: middleware, the reducer and its promise, the shown states, the feedbacks.
public struct LoopRecord<State: Sendable, Event: Sendable>: Sendable {
    /// How the processing of an event ended.
    public enum Outcome: Sendable {
        /// The transition produced the next state.
        case settled
        /// The transition was rejected with this error, or exceeded its time limit; the settled state is unchanged.
        case failed(any Error)
        /// The transition was cancelled by an event that replaced it; the settled state is unchanged. A
        /// `CancellationError` of its own is a failure like any other.
        case cancelled
        /// The event addressed a part of the state that doesn't exist, such as a removed element, so the lifted
        /// reducer of that part was not called. Changes by other reducers are in ``LoopRecord/after``. Not noticed in a
        /// reducer that runs behind an asynchronous one whose promise was pending.
        case missed
        /// Middleware stopped the event; no reducer was called.
        case stopped
        /// The event was dropped before its turn; neither middleware nor the reducer was called.
        case dropped(DropReason)
    }

    /// Why an event was dropped before its turn.
    public enum DropReason: Sendable {
        /// A transition was running, or an event with the same policy was enqueued, and the event's policy is
        /// ``EventPolicy/dropWhileBusy``.
        case busy
        /// A later event of the same key superseded it (``EventPolicy/debounce(_:key:keepsOrder:)``).
        case debounced
        /// It was neither the first nor the last event of its key in a throttle window, or not the one that counts
        /// (``EventPolicy/throttle(_:edges:key:keepsOrder:)``).
        case throttled
        /// The effect that sent it was cancelled while the event was pending, or the part ended to whose handle,
        /// ``ScopedSystem/unwrapped()``, it was sent; or ``System/dropQueuedEvents()`` was called; or it was sent while
        /// a `TimeTravel` of `PromisedRecording` held the system, and dropped such events.
        case withdrawn
        /// The cascade of events sent from inside other events exceeded the system's `cascadeLimit`.
        case runaway
    }

    /// The number of the turn, counted from 1. A dropped event has no turn and carries the number of the latest one.
    public let number: Int
    /// The event as middleware passed it on; as it was sent, if it was dropped.
    public let event: Event
    /// The file and line of the call that sent the event.
    public let origin: Origin
    /// The settled state that the reducer was called with.
    public var before: State { boxBefore.value }
    /// The settled state when the turn was over; equal to ``before`` unless the transition produced a new one.
    public var after: State { boxAfter.value }
    /// The states that were shown because of this turn, in order, loading ones included.
    public var shown: [Shown<State>] { changes.map { $0.notification.shown } }
    /// How the processing of the event ended.
    public let outcome: Outcome
    /// Whether nothing took the event: the reducer is made of lifted reducers for parts, none of which the event is for,
    /// no feedback has answered it, and middleware has neither replaced it nor sent another one. A reducer that was not
    /// lifted takes every event, and so does a feedback for all events, such as `Feedback(events:)`. The outcome is then
    /// ``Outcome/settled``.
    public let isUnhandled: Bool
    /// How long the event was pending before its turn, measured by the scheduler's clock.
    public let queueWait: Duration
    /// How long the turn took, measured by the scheduler's clock; zero for a dropped event.
    public let duration: Duration

    @usableFromInline let boxBefore: ValueBox<State>
    @usableFromInline let boxAfter: ValueBox<State>
    @usableFromInline let changes: [StateChange<State>]

    @inlinable
    init(
        number: Int, event: Event, origin: Origin, before: ValueBox<State>, after: ValueBox<State>,
        shown: [StateChange<State>], outcome: Outcome, isUnhandled: Bool = false, queueWait: Duration,
        duration: Duration
    ) {
        (self.number, self.event, self.origin) = (number, event, origin)
        (boxBefore, boxAfter, changes, self.outcome) = (before, after, shown, outcome)
        (self.isUnhandled, self.queueWait, self.duration) = (isUnhandled, queueWait, duration)
    }
}
