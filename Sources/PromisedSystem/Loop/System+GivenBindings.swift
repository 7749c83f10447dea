public import Promise

// Bindings that were made before, each of which is called on the system's scheduler. The parameter takes an array of exactly this type: an array of
// another would be converted by a cast, which fails at run time.
extension System {
    /// A system on a scheduler of your choice, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the system's scheduler; nil entries are skipped. All others as in the form that
    ///   takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system with an asynchronous reducer as a closure, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the system's scheduler; nil entries are skipped. All others as in the form that
    ///   takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system with an asynchronous reducer in front of what is optional, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the system's scheduler; nil entries are skipped. All others as in the form that
    ///   takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system made of a feature, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the system's scheduler; nil entries are skipped. All others as in the form that
    ///   takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler, feature: some FeatureProtocol<State, Event>,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, feature: feature,
            uiBindings: UIBindings(uiBindings), eventPolicy: eventPolicy,
            timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }
}
