public import PromisedSystem

extension Model {
    /// Creates a model with a store of its own, which lives as long as the model: as the root of an application, or as
    /// a dependency that other models share.
    ///
    /// Created in the default of a key, or in the closure that sets up a store, it is on the scheduler of that, inherits
    /// the dependencies that the store has, and is a part of its tests and explorations. Elsewhere, as for an override by
    /// a model, it is on the main queue, and on its own.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - dependencies: Overrides dependencies of the model and all below it. Called once, before the model
    ///     is activated.
    public init(initialState: State, dependencies: (inout DependencyValues) -> Void = { _ in }) {
        self.init(
            initialState: initialState, scheduler: StoreHost.current?.scheduler ?? MainScheduler.main,
            dependencies: dependencies)
    }

    /// Creates a model with a store of its own on the given scheduler.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - scheduler: As in ``Store/init(initialState:scheduler:dependencies:)``.
    ///   - dependencies: Overrides dependencies of the model and all below it. Called once, before the model
    ///     is activated.
    public init(
        initialState: State, scheduler: any SerialScheduler,
        dependencies: (inout DependencyValues) -> Void = { _ in }
    ) {
        self = Store<Self>(initialState, scheduler, host: StoreHost.current, dependencies).model
    }
}
