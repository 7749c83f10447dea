public import Promise

// Systems for user interfaces: on the main queue. Called on the main thread, as a user interface does, each of these
// returns a system whose initial state is shown already; called elsewhere, it is shown when the main queue comes to
// it. They belong to no actor, so that code from before there were actors can call them as well.
extension System {
    /// A system for user interfaces: on the main queue. Called on the main thread, the initial state is shown before
    /// this returns.
    ///
    /// ```swift
    /// @MainActor func makeCounter() -> System<Int, Int> {
    ///     .pure(initialState: 0, reducer: { .value($0 + $1) }, uiBindings: [{ print($0) }])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - initialState: Shown first.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: The work that follows from states and events, asked in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and looks at each afterwards.
    ///   - uiBindings: Shown every state, in this order; nil entries are skipped. A binding must not keep the view
    ///     alive: capture it weakly.
    ///   - eventPolicy: What an event does that arrives while a transition is running.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other until the chain is cut and reported.
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: MainBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces with a reducer of any form. Called on the main thread, the initial state is shown
    /// before this returns.
    ///
    /// - Parameters:
    ///   - initialState: Shown first.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: The work that follows from states and events, asked in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and looks at each afterwards.
    ///   - uiBindings: Shown every state, in this order; nil entries are skipped. A binding must not keep the view
    ///     alive: capture it weakly.
    ///   - eventPolicy: What an event does that arrives while a transition is running.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other until the chain is cut and reported.
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: MainBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces made of a feature. Called on the main thread, the initial state is shown before
    /// this returns.
    ///
    /// - Parameters:
    ///   - initialState: Shown first.
    ///   - feature: The reducer, the feedbacks and the middleware.
    ///   - uiBindings: Shown every state, in this order; nil entries are skipped. A binding must not keep the view
    ///     alive: capture it weakly.
    ///   - eventPolicy: What an event does that arrives while a transition is running.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other until the chain is cut and reported.
    public static func pure(
        initialState: State, feature: some FeatureProtocol<State, Event>,
        uiBindings: MainBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, feature: feature,
            uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }
}
