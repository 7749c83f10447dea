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
