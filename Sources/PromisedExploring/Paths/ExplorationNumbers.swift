/// Assigns numbers to the states and events of one exploration.
@usableFromInline
struct ExplorationNumbers<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let states: Numbering<State>
    @usableFromInline let events: Numbering<Event>
    @usableFromInline let findings: Findings

    @usableFromInline
    init(states: Numbering<State>, events: Numbering<Event>, _ findings: Findings) {
        (self.states, self.events, self.findings) = (states, events, findings)
    }
}
