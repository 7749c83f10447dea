public import Promise

extension System {
    /// A system made of a feature.
    ///
    /// - Parameters:
    ///   - initialState: Current and readable at once; shown on the scheduler.
    ///   - scheduler: Where everything runs, and whose clock is used.
    ///   - feature: The reducer, the feedbacks and the middleware.
    ///   - uiBindings: Shown every state from the first on, in this order; nil entries are skipped.
    ///   - eventPolicy: What an event does when it arrives, unless its sender says otherwise.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - history: How many shown states are remembered.
    ///   - runawayLimit: How many events may beget each other until the chain is cut and reported.
    @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler, feature: some FeatureProtocol<State, Event>,
        uiBindings: UIBindings<State> = [],
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        history: HistoryLimit = .none, runawayLimit: Int = 100_000
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: feature.reducer,
            feedbacks: feature.feedbacks, middleware: feature.middleware, uiBindings: uiBindings,
            eventPolicy: eventPolicy, timeLimit: timeLimit, history: history, runawayLimit: runawayLimit)
    }
}
