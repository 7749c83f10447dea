internal import Promise

/// Where a system's states are shown, and everyone who looks: the one place that shows.
final class Stage<State: Sendable, Event: Sendable>: Sendable {
    /// What a reader may want to know of one moment.
    struct Scene: Sendable {
        var settled: State
        var shown: Shown<State>
        /// Whether it came from a transition that settled, and not from an interim state or its withdrawal.
        var isCommit: Bool
    }

    let bindings = Handlers<State>()
    let callbacks = Handlers<State>()
    let historyCallbacks = Handlers<(State, [State])>()
    let errors = Handlers<any Error>()
    let eventErrors = Handlers<(any Error, Event)>()
    let records = Handlers<LoopRecord<State, Event>>()
    let scenes: Broadcaster<Scene>
    private let history: Lock<History<State>>

    init(_ initialState: State, history limit: HistoryLimit, scheduler: any SerialScheduler) {
        let scene = Scene(settled: initialState, shown: .settled(initialState), isCommit: true)
        scenes = Broadcaster(scene) { if scheduler.isCurrent { $0() } else { scheduler.schedule($0) } }
        var history = History<State>(limit)
        _ = history.append(initialState)
        self.history = Lock(history)
    }

    var wantsRecords: Bool { !records.isEmpty }
    var wantsErrors: Bool { !errors.isEmpty || !eventErrors.isEmpty }
    var pastStates: History<State> { history.withLock { $0 } }
    var present: Shown<State> { scenes.value.shown }
    var settled: State { scenes.value.settled }

    /// Shows the initial state to those who were there from the start.
    ///
    /// Not to callbacks: whether those came before or after it would be a matter of luck.
    func begin() { bindings.call(present.state) }

    /// Makes a state visible to everyone who reads, then tells of it: bindings, sources, callbacks.
    func show(_ shown: Shown<State>, isCommit: Bool) {
        _ = history.withLock { $0.append(shown.state) }
        let settled = isCommit ? shown.state : scenes.value.settled
        let change = scenes.change(to: Scene(settled: settled, shown: shown, isCommit: isCommit))
        bindings.call(shown.state)
        change.tell()
        callbacks.call(shown.state)
        historyCallbacks.call((shown.state, seen(shown.state)))
    }

    /// The history for a callback: with none kept, the shown state alone.
    func seen(_ state: State) -> [State] {
        let states = pastStates
        return states.isEmpty ? [state] : Array(states)
    }

    /// Lets go of everyone who looked.
    func close() {
        bindings.close()
        callbacks.close()
        historyCallbacks.close()
        errors.close()
        eventErrors.close()
        records.close()
        scenes.finish()
    }
}
