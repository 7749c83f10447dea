public import Promise

// Systems on the main queue, for user interfaces. A call on the main thread returns a system whose initial state is
// already shown; a call from another thread enqueues that on the main queue. The functions are nonisolated, so that
// code without actor annotations can call them as well.
extension System {
    /// Creates a system on the main queue, for user interfaces. Feedbacks and effects work as in every system.
    ///
    /// If called on the main thread, the initial state is shown before this returns.
    ///
    /// ```swift
    /// @MainActor func makeCounter() -> System<Int, Int> {
    ///     .pure(initialState: 0, reducer: { .value($0 + $1) }, uiBindings: [{ print($0) }])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown first.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: Start the effects that follow from states and events; evaluated in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and sees it again after its turn.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///     Capture views weakly: the system retains the closures.
    ///   - eventPolicy: Decides on arrival whether an event is queued, dropped or delayed, unless its sender passes a
    ///     policy; nil for ``EventPolicy/queue``.
    ///   - timeLimit: How long the transition of an event may run before it is cancelled and reported; nil for no
    ///     limit.
    ///   - history: How many shown states are kept.
    ///   - runawayLimit: How many events may follow each other, each sent while the one before it is processed, until
    ///     the cascade is cut off and reported.
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

    /// Creates a system on the main queue, for user interfaces, with a ``Reducer``, synchronous or asynchronous.
    ///
    /// If called on the main thread, the initial state is shown before this returns.
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown first.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: Start the effects that follow from states and events; evaluated in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and sees it again after its turn.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///     Capture views weakly: the system retains the closures.
    ///   - eventPolicy: Decides on arrival whether an event is queued, dropped or delayed, unless its sender passes a
    ///     policy; nil for ``EventPolicy/queue``.
    ///   - timeLimit: How long the transition of an event may run before it is cancelled and reported; nil for no
    ///     limit.
    ///   - history: How many shown states are kept.
    ///   - runawayLimit: How many events may follow each other, each sent while the one before it is processed, until
    ///     the cascade is cut off and reported.
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

    /// Creates a system on the main queue, for user interfaces, from a feature.
    ///
    /// If called on the main thread, the initial state is shown before this returns.
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown first.
    ///   - feature: Supplies the reducer, the feedbacks and the middleware.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///     Capture views weakly: the system retains the closures.
    ///   - eventPolicy: Decides on arrival whether an event is queued, dropped or delayed, unless its sender passes a
    ///     policy; nil for ``EventPolicy/queue``.
    ///   - timeLimit: How long the transition of an event may run before it is cancelled and reported; nil for no
    ///     limit.
    ///   - history: How many shown states are kept.
    ///   - runawayLimit: How many events may follow each other, each sent while the one before it is processed, until
    ///     the cascade is cut off and reported.
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
