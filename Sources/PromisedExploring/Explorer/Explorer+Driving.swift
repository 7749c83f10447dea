public import PromisedSystem

extension Explorer {
    /// Builds the system of one path and starts it. Code that depends on the state and event types is confined to this
    /// function.
    @inlinable
    static func begin(
        _ events: [Event], _ build: Build, _ numbers: ExplorationNumbers<State, Event>,
        _ sent: SentEvents<State, Event>?
    ) -> ExplorationRun {
        let world = World<State>(WorldCore(numbers.findings))
        let system = world.core.record.observing { build(world) }
        guard system.isOn(world.core.scheduler) else {
            return ExplorationRun(stranger: world.core) { system.stop() }
        }
        world.core.record.explore(system, numbers.states.number, numbers.events.number) {
            [unowned world] event in
            if world.core.hasMonitors { world.core.notices(processed: event) }
        } violation: { [unowned world] state, isLoading in
            world.violation(byShown: state, isLoading: isLoading)
        }
        world.noteDeclarations(system)
        return ExplorationRun(
            world.core,
            .init(
                events: events.count,
                admissions: world.core.countsSteps
                    ? []
                    : world.core.record.withoutActivity {
                        events.map { .init(system.policy(of: $0), numbers.events.number($0)) }
                    } ?? [],
                isSent: sent.map { sent in
                    { index in sent.isSent(system.currentShown.state, events[index], world.core.record) }
                },
                send: { system.sendEvent(events[$0]) },
                violationAtRest: {
                    guard world.declares(.rest) else { return nil }
                    let shown = system.currentShown
                    return world.violation(by: shown.state, isLoading: shown.isLoading, isAtRest: true)
                },
                bound: {
                    world.declares(.bound) ? world.bound(exceededBy: system.currentShown.state) : nil
                },
                restore: numbers.states.value.map { value in
                    (isPossible: { system.remembersOnlyState }, to: { system.restore(value($0)) })
                }, snapshot: { system.snapshot(settled: $0) }, isResting: { system.isResting },
                stop: { system.stop() }))
    }
}
