internal import Promise

/// A processed event with the settled states before and after it; an element of ``System/eventsWithState``.
public struct EventWithState<State: Sendable, Event: Sendable>: Sendable {
    /// The event, as middleware passed it to the reducer.
    public let event: Event
    /// The settled state that the reducer was called with.
    public var before: State { boxBefore.value }
    /// The settled state that the reducer produced from it.
    public var state: State { boxAfter.value }

    private let boxBefore: ValueBox<State>
    private let boxAfter: ValueBox<State>

    init(_ event: Event, before: ValueBox<State>, state: ValueBox<State>) {
        (self.event, boxBefore, boxAfter) = (event, before, state)
    }
}

extension EventWithState: Equatable where State: Equatable, Event: Equatable {
    /// Whether the events are equal, and the states before and after them.
    public static func == (left: EventWithState, right: EventWithState) -> Bool {
        left.event == right.event && left.before == right.before && left.state == right.state
    }
}

extension System {
    /// An asynchronous sequence of the events processed from now on, each with the state that it produced.
    ///
    /// Event and state are paired when the turn ends, so events sent meanwhile don't change the pair.
    ///
    /// ```swift
    /// enum Step: Sendable { case look(Int), open(String) }
    ///
    /// let browser = System<Int, Step>(initialState: 0, scheduler: .immediate, reducer: Reducer { state, step in
    ///     if case .look(let number) = step { state = number }
    /// })
    /// let routes = browser.eventsWithState.compactMap { turn -> String? in
    ///     if case .open(let page) = turn.event { "\(page) of \(turn.state)" } else { nil }
    /// }
    /// browser.sendEvent(.look(3))
    /// browser.sendEvent(.open("details"))
    /// for await route in routes {
    ///     print(route)
    ///     break
    /// }
    /// ```
    ///
    /// Each event is emitted once; nothing is replayed to later subscribers, unlike with a ``Source``, which has a
    /// current value. Use it for one-time actions, such as navigation to another screen. For events that were dropped
    /// or stopped, or whose transition failed or was cancelled, use ``onLoop(_:)``, which also calls back on the
    /// system's scheduler.
    ///
    /// Each access returns a new sequence, for one task to iterate. It buffers events from the access on, without a
    /// limit, finishes when the system ends, and does not retain the system.
    public var eventsWithState: AsyncStream<EventWithState<State, Event>> {
        let (turns, continuation) = AsyncStream.makeStream(of: EventWithState<State, Event>.self)
        let records = onLoop { record in
            switch record.outcome {
            case .settled, .missed:
                continuation.yield(
                    EventWithState(record.event, before: record.boxBefore, state: record.boxAfter))
            case .failed, .cancelled, .stopped, .dropped: break
            }
        }
        let end = settled.attach(false, { _ in }, { continuation.finish() })
        continuation.onTermination = { _ in
            records.cancel()
            end.cancel()
        }
        return turns
    }
}
