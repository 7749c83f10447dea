public import Promise

// Bindings passed as a collection; each is called on the main actor. Every element type has an overload of its own: the
// compiler would convert an array of another closure type by a cast, which fails at run time.
extension System {
    /// Creates a system on the given scheduler, with bindings passed as a collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>, configuration: Configuration = .init()
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration)
    }

    /// Creates a system with an asynchronous reducer as trailing closure, with bindings passed as a collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>, configuration: Configuration = .init(),
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration)
    }

    /// Creates a system with an asynchronous reducer before the optional arguments, and bindings passed as a
    /// collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>, configuration: Configuration = .init()
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration)
    }

}
