public import Promise

// Systems on the main queue, for user interfaces. A call on the main thread returns a system whose initial state is
// already shown; a call from another thread enqueues that on the main queue. The functions are nonisolated, so that
// code without actor annotations can call them as well.
extension System {
    /// Creates a system on the main queue, for user interfaces. Feedbacks and effects work as in every system.
    ///
    /// If called on the main thread, the initial state is shown before this returns. Unlike a system that is created
    /// without a scheduler, this one has bindings that may use main-actor state, and keeps the last 1,000 shown states.
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
    ///   - configuration: How events are treated, and how many states are kept.
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: MainBindings<State> = [], configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
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
    ///   - configuration: How events are treated, and how many states are kept.
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: MainBindings<State> = [], configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
    }

}
