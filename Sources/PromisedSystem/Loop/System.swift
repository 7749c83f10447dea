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
    @usableFromInline let loop: Loop<State, Event>

    /// A system on a scheduler of your choice.
    ///
    /// - Parameters:
    ///   - initialState: Current and readable at once; shown on the scheduler.
    ///   - scheduler: Where the reducer, the feedbacks, the bindings and the callbacks run, and whose clock is used.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: The work that follows from states and events, asked in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and looks at each afterwards.
    ///   - uiBindings: Shown every state from the first on, in this order; nil entries are skipped.
    ///   - eventPolicy: What an event does when it arrives, unless its sender says otherwise; nil for
    ///     ``EventPolicy/queue``.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported as
    ///     `PromiseError.timedOut`; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other, each sent from inside the turn of the one before,
    ///     until the chain is cut and reported; at least 1, as an event that no other has sent always has its turn.
    @inlinable
    public init(
        initialState: State, scheduler: some SerialScheduler, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: UIBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        let configuration = LoopConfiguration(
            eventPolicy: eventPolicy.map(LoopConfiguration.Policy.init), timeLimit: timeLimit,
            runawayLimit: runawayLimit)
        loop = Loop(
            initialState: ValueBox(initialState), scheduler: scheduler, history: history, reducer: reducer,
            middleware: middleware, configuration: configuration)
        // Made here, so that what an effect sends is taken in by code made for these types.
        let feedback = Feedback.combined(feedbacks)
        if !feedback.parts.isEmpty { loop.effects = RunningEffects(feedback, loop) }
        loop.begin(uiBindings)
    }

    /// A system on a scheduler of your choice, with an asynchronous reducer as a closure.
    ///
    /// - Parameters:
    ///   - initialState: Current and readable at once; shown on the scheduler.
    ///   - scheduler: Where everything runs, and whose clock is used.
    ///   - feedbacks: The work that follows from states and events, asked in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and looks at each afterwards.
    ///   - uiBindings: Shown every state from the first on, in this order; nil entries are skipped.
    ///   - eventPolicy: What an event does when it arrives, unless its sender says otherwise.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other until the chain is cut and reported.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: UIBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware, uiBindings: uiBindings, eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system on a scheduler of your choice, with an asynchronous reducer in front of what is optional.
    ///
    /// - Parameters:
    ///   - initialState: Current and readable at once; shown on the scheduler.
    ///   - scheduler: Where everything runs, and whose clock is used.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: The work that follows from states and events, asked in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and looks at each afterwards.
    ///   - uiBindings: Shown every state from the first on, in this order; nil entries are skipped.
    ///   - eventPolicy: What an event does when it arrives, unless its sender says otherwise.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other until the chain is cut and reported.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: UIBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware, uiBindings: uiBindings, eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    deinit { loop.stop() }

    /// The last settled state; from any thread.
    @inlinable public var state: State { loop.store.settled }

    /// The settled states: the current one, and every one that a transition settles on.
    @inlinable public var settled: Source<State> {
        let store = loop.store
        return Source(
            identity: store.settledIdentity, read: { store.settled }, isNotifying: { store.isNotifyingNow },
            entrance: .init(enter: { store.enter($0) }) {
                store.subscribeToSettled(replayCurrent: false, $0, onEnd: $1)
            }
        ) { replayCurrent, body, onEnd in
            store.subscribeToSettled(replayCurrent: replayCurrent, body, onEnd: onEnd)
        }
    }

    /// What is shown: settled and loading states.
    public var shown: Source<Shown<State>> {
        let store = loop.store
        return Source(
            identity: store.shownIdentity, read: { store.present.notification.shown },
            isNotifying: { store.isNotifyingNow }
        ) { replayCurrent, body, onEnd in
            store.subscribe(replayCurrent: replayCurrent, { body($0.shown) }, onEnd: onEnd)
        }
    }

    /// The shown states that are remembered, oldest first.
    public var history: History<State> { loop.store.pastStates }

    /// Sends an event, from any thread.
    ///
    /// If the caller is on the system's scheduler and the system is idle, the reducer has run when this
    /// returns. Otherwise the event waits for its turn, behind what the same sender sent before.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - policy: What it does when it arrives; nil for what the system's `eventPolicy` says.
    @inlinable
    public func sendEvent(
        _ event: Event, policy: EventPolicy? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        loop.receive(event, policy, Origin(file, line))
    }

    /// Ends the system before it is released: cancels what runs, drops what waits, and lets go of bindings
    /// and callbacks. Nothing is shown any more, and later events do nothing. The state stays readable.
    @inlinable public func stop() { loop.stop() }
}
