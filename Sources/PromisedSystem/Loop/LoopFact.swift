package import Promise

/// What happens in one loop: noted by its owner, in the order in which the loop handles it.
///
/// An event that was sent is noted when the loop has handled all that arrived before it: at once if that is so when it
/// is sent by the owner. So the order of the facts is that in which the same loop handles the same things again.
@usableFromInline
package enum LoopFact<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline package typealias Turn = LoopMachine<State, Event>.Turn
    @usableFromInline package typealias PendingEvent = LoopMachine<State, Event>.PendingEvent

    /// The observation begins: with the settled state, and the number of the last turn.
    case attached(ValueBox<State>, turn: Int)
    /// An event has arrived; its policy is applied next. `followsTurn`, here and below: whether a turn has begun or ended
    /// since the loop was idle.
    case sent(PendingEvent, by: EventSender, followsTurn: Bool)
    /// The delayed events of these keys are enqueued, the one whose timer has fired last.
    case delayEnded([EffectKey], DelayEnd, followsTurn: Bool)
    /// An event is dropped before its turn.
    case dropped(PendingEvent, LoopRecord<State, Event>.DropReason)

    /// Middleware is called next: with the event of a turn that starts; or after a turn, with the events that the
    /// layers have passed on. The state is the settled one.
    case entersMiddleware([Event], ValueBox<State>, isAfterTurn: Bool, isStateful: Bool)
    /// Middleware has returned.
    case leavesMiddleware
    /// The reducer is called next, with this state.
    case begins(Turn, ValueBox<State>)
    /// The reducer has returned.
    case hasReduced
    /// The transition is in flight.
    case pends(Turn)
    /// The time limit of the transition is over.
    case timedOut(Turn)
    case shows(ValueBox<State>, StateChangeKind)
    /// A turn has ended, after everything that the loop does for it.
    case ends(Turn, LoopRecord<State, Event>.Outcome, isUnhandled: Bool)
    /// A state was written without a turn, as if by this event; nil if the state before is not known.
    case written(
        turn: Int, Event, Origin, by: WriteCause, before: ValueBox<State>?, after: ValueBox<State>)

    /// A transition or an effect has failed: its end follows.
    case failed(any Error, Origin)
    /// The same of an effect that continues, or has ended while it was started.
    case failedApart(any Error, Origin)
    /// The loop is held by a command, or not any longer.
    case held(Bool)
    /// Anything but the reducer reads the settled or the shown state, or the history. Noted only in explorations, by
    /// the reading thread.
    case read(settled: ValueBox<State>, interim: ValueBox<State>?, History<State>?)
    /// The queue is used otherwise than by an event. Noted only in explorations.
    case queue(QueueUse)

    @usableFromInline
    package enum QueueUse: Sendable {
        /// It is read or emptied: ``System/running``, ``System/dropQueuedEvents()``.
        case access
        /// A promise of ``System/whenIdle(file:line:)`` is pending.
        case wait
        /// The pending ones are fulfilled next.
        case end
    }

    @usableFromInline
    package enum DelayEnd: Sendable, Hashable {
        case timer
        /// ``System/flush(_:)``.
        case flush
        /// A later event, before which they are processed.
        case event
    }
}

/// Who has written a state without a turn, or sent an event of a model.
@usableFromInline
package enum WriteCause: Sendable {
    case outside
    /// What the owner of the loop performs: a hook, or an observer that is notified.
    case observer
    /// The work of this scheduler.
    case work(any RunScheduler)
}

/// Who has sent an event.
@usableFromInline
package enum EventSender: Sendable, Hashable {
    case outside
    /// Middleware, in its call.
    case middleware
    /// The run of an effect, by its number.
    case run(Int)
    /// The handle of a part.
    case handle
}
