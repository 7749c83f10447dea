internal import Promise

/// The callbacks with which an exploration observes a loop; called on the system's scheduler.
@usableFromInline
package final class LoopProbe<State: Sendable, Event: Sendable>: Sendable {
    /// Called with the event at the beginning of a turn.
    @usableFromInline let turn: @Sendable (Event) -> Void
    /// Called with each shown state, and whether it is a loading one.
    let shown: @Sendable (State, Bool) -> Void
    /// Called with the error of a failed transition or effect. It is not reported to `PromiseDiagnostics`.
    let failed: @Sendable (any Error) -> Void
    /// Called with an event dropped at the cascade limit. It is not reported to `PromiseDiagnostics`.
    let cascadeExceeded: @Sendable (Event) -> Void
    let work: any WorkProbe

    @usableFromInline
    package init(
        work: any WorkProbe, turn: @escaping @Sendable (Event) -> Void,
        shown: @escaping @Sendable (State, Bool) -> Void,
        failed: @escaping @Sendable (any Error) -> Void, cascadeExceeded: @escaping @Sendable (Event) -> Void
    ) {
        (self.work, self.turn, self.shown, self.failed) = (work, turn, shown, failed)
        self.cascadeExceeded = cascadeExceeded
    }

    @usableFromInline
    func shows(_ state: ValueBox<State>, isLoading: Bool = false) { shown(state.value, isLoading) }
}

extension System {
    /// Attaches a probe to the loop. Must be called before the system has processed anything, while no other thread
    /// uses it.
    @usableFromInline
    package func attachProbe(by probe: LoopProbe<State, Event>) {
        loop.probe = probe
        // Counts as an observer, so that a turn has only one thing to check.
        loop.observers.counter.add(1)
        loop.effects?.probe = probe.work
    }
}

extension System {
    /// Whether this is the system's scheduler.
    @usableFromInline
    package func isOn(_ scheduler: some SerialScheduler) -> Bool { loop.scheduler === scheduler }
}
