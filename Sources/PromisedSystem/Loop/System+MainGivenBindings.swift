public import Promise

// Bindings passed as a collection, for systems on the main queue. Every element type has an overload of its own: the
// compiler would convert an array of another closure type by a cast, which fails at run time.
extension System {
    /// Creates a system on the main queue, with bindings passed as a collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>, configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
    }

    /// Creates a system on the main queue with a ``Reducer`` and bindings passed as a collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@MainActor (State) -> Void)?>, configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
    }

    /// Creates a system on the main queue, with bindings passed as a collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>, configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer), feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
    }

    /// Creates a system on the main queue with a ``Reducer`` and bindings passed as a collection.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @_disfavoredOverload
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: some Collection<(@Sendable (State) -> Void)?>, configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, uiBindings: UIBindings(uiBindings), configuration: configuration.onMain)
    }

}
