public import Promise

// Bindings that were made before, in the Swift 5 mode, where the type of a closure need not say which thread it may be
// called on: on the main actor, then. The parameter takes an array of exactly its type: an array of another would be
// converted by a cast, which fails at run time.
extension System {
    /// A system for user interfaces, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public static func pure(
        initialState: State,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces with a reducer of any form, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public static func pure(
        initialState: State,
        reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer,
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system for user interfaces made of a feature, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public static func pure(
        initialState: State,
        feature: some FeatureProtocol<State, Event>,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .last(1000), runawayLimit: Int = 100_000
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, feature: feature,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), eventPolicy: eventPolicy,
            timeLimit: timeLimit,
            history: history, runawayLimit: runawayLimit)
    }

    /// A system on a scheduler of your choice, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: reducer,
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system with an asynchronous reducer as a closure, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system with an asynchronous reducer in front of what is optional, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)),
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }

    /// A system made of a feature, with bindings that were made before and name
    /// no actor.
    ///
    /// - Parameter uiBindings: Called with every state, on the main actor; nil entries are skipped. All others as in
    ///   the form that takes an array literal.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        feature: some FeatureProtocol<State, Event>,
        uiBindings: sending some Collection<((State) -> Void)?>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, feature: feature,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), eventPolicy: eventPolicy,
            timeLimit: timeLimit,
            history: history, runawayLimit: runawayLimit)
    }
}
