public import Promise

/// A state machine whose reducer is asynchronous: `(State, Event) -> Promise<State>`.
///
/// The reducer only describes what happens next. The system runs the description, shows a loading state
/// meanwhile, queues what arrives in between, and shows the result.
///
/// ```swift
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { state, event in
///     .value(state + event)
/// }
/// counter.addLoopCallback { state in print("now", state) }
/// counter.sendEvent(1)
/// print(counter.state)
/// ```
///
/// Events can be sent from any thread and are taken one at a time, in each sender's order. A transition that
/// fails leaves the state as it was, is reported, and the next event has its turn. Releasing the system
/// cancels what runs and drops what waits; the work of a transition never keeps its system alive.
public final class System<State: Sendable, Event: Sendable>: Sendable {
    let loop: Loop<State, Event>
    private let eventPolicy: @Sendable (Event) -> EventPolicy

    /// A system on a scheduler of your choice, with the reducer as a trailing closure.
    ///
    /// - Parameters:
    ///   - initialState: Current and readable at once; shown on the scheduler.
    ///   - scheduler: Where the reducer, the bindings and the callbacks run, and whose clock is used.
    ///   - uiBindings: Shown every state from the first on, in this order; nil entries are skipped.
    ///   - eventPolicy: What an event does that arrives while a transition is running, unless its sender
    ///     says otherwise.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported as
    ///     `PromiseError.timedOut`; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    public init(
        initialState: State, scheduler: some SerialScheduler,
        uiBindings: [(@isolated(any) @Sendable (State) -> Void)?] = [],
        eventPolicy: @escaping @Sendable (Event) -> EventPolicy = { _ in .queue },
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.eventPolicy = eventPolicy
        loop = Loop(
            initialState: initialState, scheduler: scheduler, history: history, reducer: reducer,
            timeLimit: timeLimit)
        for case let binding? in uiBindings { loop.stage.bindings.add(Callback(binding)) }
        loop.receive(.begin)
    }

    /// A system on a scheduler of your choice, with the reducer in front of what is optional.
    ///
    /// - Parameters:
    ///   - initialState: Current and readable at once; shown on the scheduler.
    ///   - scheduler: Where the reducer, the bindings and the callbacks run, and whose clock is used.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - uiBindings: Shown every state from the first on, in this order; nil entries are skipped.
    ///   - eventPolicy: What an event does that arrives while a transition is running.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        uiBindings: [(@isolated(any) @Sendable (State) -> Void)?] = [],
        eventPolicy: @escaping @Sendable (Event) -> EventPolicy = { _ in .queue },
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, uiBindings: uiBindings,
            eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, reducer: reducer)
    }

    deinit { loop.stop() }

    /// A system for user interfaces: on the main queue, with the initial state shown before this returns.
    ///
    /// - Parameters:
    ///   - initialState: Shown first.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - uiBindings: Shown every state, in this order; nil entries are skipped. A binding must not keep
    ///     the view alive: capture it weakly.
    ///   - eventPolicy: What an event does that arrives while a transition is running.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    @MainActor
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        uiBindings: [(@MainActor (State) -> Void)?] = [],
        eventPolicy: @escaping @Sendable (Event) -> EventPolicy = { _ in .queue },
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000)
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, uiBindings: uiBindings.map { $0 },
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, reducer: reducer)
    }

    /// The last settled state; from any thread.
    public var state: State { loop.stage.settled }

    /// The settled states: the current one, and every one that a transition settles on.
    public var settled: Source<State> {
        Source(loop.stage.scenes, value: { $0.settled }, isChange: { $0.isCommit })
    }

    /// What is shown: settled and loading states.
    public var shown: Source<Shown<State>> {
        Source(loop.stage.scenes, value: { $0.shown }, isChange: { _ in true })
    }

    /// The shown states that are remembered, oldest first.
    public var history: History<State> { loop.stage.pastStates }

    /// Sends an event, from any thread.
    ///
    /// If the caller is on the system's scheduler and the system is idle, the reducer has run when this
    /// returns. Otherwise the event waits for its turn, behind what the same sender sent before.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - policy: What it does if a transition is running; nil for what the system's `eventPolicy` says.
    public func sendEvent(
        _ event: Event, policy: EventPolicy? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        loop.receive(
            .event(
                .init(
                    event: event, policy: policy ?? eventPolicy(event), origin: Origin(file, line),
                    sentAt: loop.scheduler.now)))
    }

    /// Ends the system before it is released: cancels what runs, drops what waits, and lets go of bindings
    /// and callbacks. Nothing is shown any more, and later events do nothing. The state stays readable.
    public func stop() { loop.stop() }
}
