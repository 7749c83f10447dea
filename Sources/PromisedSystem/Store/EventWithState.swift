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
