public import PromisedSystem

/// Assigns numbers to the states and events of one exploration.
@usableFromInline
struct ExplorationNumbers<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let states: Numbering<State>
    @usableFromInline let events: Numbering<Event>
    /// nil where configurations are not compared.
    @usableFromInline let world: WorldNumbers?

    @usableFromInline
    init(states: Numbering<State>, events: Numbering<Event>, world: WorldNumbers? = nil) {
        (self.states, self.events, self.world) = (states, events, world)
    }
}

extension Explorer {
    /// Builds the system of one path and starts it. Code that depends on the state and event types is confined to this
    /// function.
    @inlinable
    static func begin(
        _ events: [Event], _ build: Build, _ numbers: ExplorationNumbers<State, Event>
    ) -> ExplorationRun {
        let world = World<State>(WorldCore(numbers.world))
        let history = PathHistory(world.core.scheduler)
        world.core.onRead { [weak history] in history?.read($0) }
        let system = build(world)
        guard system.isOn(world.core.scheduler) else {
            history.add(Violation(property: "the system is on the world's scheduler", kind: .otherScheduler))
            return ExplorationRun(world.core, history, .none { system.stop() })
        }
        history.begin(state: numbers.states.number(system.state), memories: system.feedbackMemories)
        system.attachProbe(
            by: LoopProbe(
                work: history, turn: { history.beginTurn(numbers.events.number($0)) },
                shown: { [unowned world] state, isLoading in
                    history.show(numbers.states.number(state), isLoading: isLoading)
                    if let violation = world.violation(by: state, isLoading: isLoading, isAtRest: false) {
                        history.add(violation)
                    }
                }, failed: { history.add($0) },
                cascadeExceeded: { event in
                    let number = numbers.events.number(event)
                    history.add(Violation(property: "the queue drains", kind: .endless(number)))
                }))
        if let violation = world.violation(by: system.state, isLoading: false, isAtRest: false) {
            history.add(violation)
        }
        return ExplorationRun(
            world.core, history,
            .init(
                events: events.count,
                queueable: system.numbersOfQueuedEvents(events, numbers.events.number),
                memories: system.feedbackMemories,
                send: { system.sendEvent(events[$0]) },
                position: {
                    system.position(
                        numberingStates: numbers.states.number, events: numbers.events.number)
                },
                violationAtRest: {
                    let shown = system.currentShown
                    return world.violation(by: shown.state, isLoading: shown.isLoading, isAtRest: true)
                }, stop: { system.stop() }))
    }
}
