public import Promise

extension System {
    /// Creates a system from a feature.
    ///
    /// - Parameters:
    ///   - initialState: The first state. It can be read immediately, and is shown on the scheduler.
    ///   - scheduler: Runs the reducer, the feedbacks, the bindings and the callbacks, and provides the clock. By
    ///     default the main queue.
    ///   - feature: The reducer, the feedbacks and the middleware.
    ///   - uiBindings: Called with every state, the initial one included, in this order; nil entries are skipped.
    ///   - configuration: How events are treated, and how many states are kept.
    public convenience init(
        initialState: State, scheduler: some SerialScheduler = .main,
        feature: some FeatureProtocol<State, Event>,
        uiBindings: UIBindings<State> = [], configuration: Configuration = .init()
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: feature.reducer,
            feedbacks: feature.feedbacks, middleware: feature.middleware, uiBindings: uiBindings,
            configuration: configuration)
    }

    /// Creates a system on the main queue, for user interfaces, from a feature.
    ///
    /// If called on the main thread, the initial state is shown before this returns.
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown first.
    ///   - feature: Supplies the reducer, the feedbacks and the middleware.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///     Capture views weakly: the system retains the closures.
    ///   - configuration: How events are treated, and how many states are kept.
    public static func pure(
        initialState: State, feature: some FeatureProtocol<State, Event>,
        uiBindings: MainBindings<State> = [], configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, feature: feature,
            uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
    }
}
