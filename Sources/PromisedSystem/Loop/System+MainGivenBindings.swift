public import Promise

// Bindings that were made before, for systems on the main queue. The parameter takes an array of exactly its type: an
// array of another would be converted by a cast, which fails at run time.
extension System {
    /// A system for user interfaces, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces with a reducer of any form, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces made of a feature, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, feature: some FeatureProtocol<State, Event>,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, feature: feature,
            uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces with a reducer of any form, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces made of a feature, with bindings that were made before: a variable, or what a function returns.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, feature: some FeatureProtocol<State, Event>,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>,
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
