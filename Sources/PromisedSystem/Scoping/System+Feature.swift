public import Promise

extension System {
    /// Creates a system from a feature.
    ///
    /// - Parameters:
    ///   - initialState: The first state. It can be read immediately, and is shown on the scheduler.
    ///   - scheduler: Runs the reducer, the feedbacks, the bindings and the callbacks, and provides the clock.
    ///   - feature: The reducer, the feedbacks and the middleware.
    ///   - uiBindings: Called with every state, the initial one included, in this order; nil entries are skipped.
    ///   - eventPolicy: The policy of an event that is sent without one; nil for ``EventPolicy/queue``.
    ///   - timeLimit: After this time the transition of an event is cancelled and reported; nil for no limit.
    ///   - history: The number of shown states to record.
    ///   - runawayLimit: The cascade limit: how many events may each be sent while the previous one is processed,
    ///     before the next is dropped and reported.
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
