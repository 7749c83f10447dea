package import Promise

/// The view of an exploration into a loop; called on the system's scheduler. States and events are represented by
/// numbers, which the observer assigns.
@usableFromInline
package protocol SystemObserver: WorkProbe {
    /// The same number for equal values, whatever their type.
    func number<Value: Sendable>(of value: Value) -> Int

    /// Called when an event is sent, whatever its policy makes of it, or enqueued after its pause.
    func sends()
    /// Called with an event before middleware, with the settled state.
    func passesMiddleware(event: Int, state: Int)
    /// Called with the event at the beginning of a turn, before the reducer.
    func begins(event: Int, state: Int)
    /// Called when the reducer has returned.
    func hasReduced()
    /// The scheduler that the transition of the running turn uses.
    var transitionScheduler: any SerialScheduler { get }
    func shows(state: Int, isLoading: Bool)
    /// Called when a turn has ended, after everything that the loop does for it.
    func endsTurn()
    /// Called when anything but the reducer reads the settled or the shown state, or the history.
    func readsState(settled: Int, interim: Int?, history: [Int]?)
    /// Called with the error of a failed transition or effect. It is not reported to `PromiseDiagnostics`.
    func fails(_ error: any Error)
    /// Called with an event dropped at the cascade limit. It is not reported to `PromiseDiagnostics`.
    func drops(event: Int)
}

/// Translates what happens in one loop for its observer.
@usableFromInline
package final class LoopProbe<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let observer: any SystemObserver
    @usableFromInline let state: @Sendable (State) -> Int
    @usableFromInline let event: @Sendable (Event) -> Int
    /// Called with each shown state, and whether it is a loading one.
    let shown: @Sendable (State, Bool) -> Void
    /// Called with each event at the beginning of its turn.
    let begun: @Sendable (Event) -> Void

    @usableFromInline
    package init(
        _ observer: any SystemObserver, state: @escaping @Sendable (State) -> Int,
        event: @escaping @Sendable (Event) -> Int, shown: @escaping @Sendable (State, Bool) -> Void,
        begun: @escaping @Sendable (Event) -> Void
    ) {
        (self.observer, self.state, self.event) = (observer, state, event)
        (self.shown, self.begun) = (shown, begun)
    }

    @usableFromInline
    func passesMiddleware(_ event: Event, _ state: ValueBox<State>) {
        observer.passesMiddleware(event: self.event(event), state: self.state(state.value))
    }

    @usableFromInline
    func begins(_ event: Event, _ state: ValueBox<State>) {
        observer.begins(event: self.event(event), state: self.state(state.value))
        begun(event)
    }

    @usableFromInline
    func shows(_ state: ValueBox<State>, isLoading: Bool = false) {
        observer.shows(state: self.state(state.value), isLoading: isLoading)
        shown(state.value, isLoading)
    }

    func cascadeExceeded(_ event: Event) { observer.drops(event: self.event(event)) }
}

/// A system of any state and event, as an exploration sees it.
package protocol ExploredSystem: AnyObject, Sendable {
    /// Lets `observer` observe the system, unless it is observed already. Must be called before the system has
    /// processed anything, while no other thread uses it.
    func observe(by observer: any SystemObserver)
    /// A snapshot of the loop; nil while a thread drains it or messages are pending, and after the end.
    var snapshot: LoopSnapshot? { get }
    /// Where the feedbacks were created that have a run which something else than the system can let act.
    ///
    /// - Parameter isExplained: Whether it is known what a run waits for, by its number.
    func originsOfHeldRuns(except isExplained: (Int) -> Bool) -> [Origin]
    /// The running and pending work; empty while a thread drains the loop, or messages are pending.
    var runningWork: [RunningWork] { get }
}

/// A scheduler that is informed of the systems on it.
package protocol SystemHost: SerialScheduler {
    func created(_ system: any ExploredSystem)
}

extension Loop: ExploredSystem {
    package func observe(by observer: any SystemObserver) {
        guard probe == nil else { return }
        observe(
            by: LoopProbe(
                observer, state: { observer.number(of: $0) }, event: { observer.number(of: $0) },
                shown: { _, _ in }, begun: { _ in }))
    }

    @usableFromInline
    func observe(by probe: LoopProbe<State, Event>) {
        self.probe = probe
        // Counts as an observer, so that a turn has only one thing to check.
        observers.counter.add(1)
        effects?.probe = probe.observer
        store.observeReads { [weak store] isOfHistory in
            guard let store else { return }
            let (settled, interim, history) = store.contents.withLock { contents in
                (contents.settled.shared, contents.interim?.shared, isOfHistory ? contents.history : nil)
            }
            probe.observer.readsState(
                settled: probe.state(settled.value), interim: interim.map { probe.state($0.value) },
                history: history.map { $0.map(probe.state) })
        }
    }
}

extension System {
    /// Attaches a probe to the loop. Must be called before the system has processed anything, while no other thread
    /// uses it.
    @usableFromInline
    package func observe(by probe: LoopProbe<State, Event>) { loop.observe(by: probe) }

    package var explored: any ExploredSystem { loop }

    /// Whether this is the system's scheduler.
    @usableFromInline
    package func isOn(_ scheduler: some SerialScheduler) -> Bool { loop.scheduler === scheduler }
}
