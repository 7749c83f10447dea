internal import Promise

/// An event that had its turn, and the settled states around it.
public struct EventWithState<State: Sendable, Event: Sendable>: Sendable {
    /// What happened.
    public let event: Event
    /// The state that the reducer was given.
    public var before: State { boxBefore.value }
    /// The state that the event has led to.
    public var state: State { boxAfter.value }

    private let boxBefore: ValueBox<State>
    private let boxAfter: ValueBox<State>

    init(_ event: Event, before: ValueBox<State>, state: ValueBox<State>) {
        (self.event, boxBefore, boxAfter) = (event, before, state)
    }
}

extension EventWithState: Equatable where State: Equatable, Event: Equatable {
    /// Whether the events and the states around them are equal.
    public static func == (left: EventWithState, right: EventWithState) -> Bool {
        left.event == right.event && left.before == right.before && left.state == right.state
    }
}

extension System {
    /// Every event from now on that has had its turn, with the state that it has led to: after reducing, each paired in
    /// its own turn, whatever is sent meanwhile.
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
    /// An event is told once, to those who listen when it has its turn: one who comes later is not told what was before,
    /// as of a ``Source``, which has a present value. So it is right for what is done once, as going to another screen.
    /// Events that were dropped or stopped, and those whose transition failed, are in ``onLoop(_:)`` alone, which also
    /// calls back on the system's scheduler.
    ///
    /// Each use gives a sequence of its own, for one task to iterate. It listens from the moment in which it was asked
    /// for, ends with the system, and does not keep it alive.
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
