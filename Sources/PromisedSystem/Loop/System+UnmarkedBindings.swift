public import Promise

// Bindings passed as a collection, in the Swift 5 mode, where a closure type may be neither isolated nor `Sendable`:
// they are called on the main actor. Every element type has an overload of its own: the compiler would convert an array
// of another closure type by a cast, which fails at run time.
extension System {
    /// Creates a system on the main queue, with bindings of an unannotated closure type.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    @_disfavoredOverload
    public static func pure(
        initialState: State,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>, configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), configuration: configuration.onMain)
    }

    /// Creates a system on the main queue with a ``Reducer`` and bindings of an unannotated closure type.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    @_disfavoredOverload
    public static func pure(
        initialState: State,
        reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>, configuration: Configuration = .init()
    ) -> System {
        System(
            initialState: initialState, scheduler: .main, reducer: reducer,
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), configuration: configuration.onMain)
    }

    /// Creates a system on the given scheduler, with bindings of an unannotated closure type.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>, configuration: Configuration = .init()
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: reducer,
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), configuration: configuration)
    }

    /// Creates a system with an asynchronous reducer as trailing closure, with bindings of an unannotated closure type.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>, configuration: Configuration = .init(),
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), configuration: configuration)
    }

    /// Creates a system with an asynchronous reducer before the optional arguments, and bindings of an unannotated
    /// closure type.
    ///
    /// - Parameter uiBindings: Called with every shown state, on the main actor; nil entries are skipped. The
    ///   other parameters are as in the overload that takes an array literal.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    @_disfavoredOverload
    public convenience init(
        initialState: State, scheduler: some SerialScheduler,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: sending some Collection<((State) -> Void)?>, configuration: Configuration = .init()
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware,
            uiBindings: UIBindings(MainBindings(unmarked: uiBindings)), configuration: configuration)
    }

}
