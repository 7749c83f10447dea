public import Promise
public import PromisedSystem

/// Holds the state of a model and of all models below it.
///
/// ```swift
/// import PromisedModels
///
/// struct Counter: Model {
///     struct State: Equatable { var count = 0 }
///     let context: ModelContext<Counter>
///     func incrementTapped() { context.state.count += 1 }
/// }
///
/// let store = Store<Counter>(initialState: .init(count: 4), scheduler: .immediate)
/// store.model.incrementTapped()
/// print(store.state.count)
/// ```
///
/// The root is a model, an optional model, an array of models or another container of them. The store is released when
/// neither it, nor a model that was taken from it, nor a task that uses one is left. Then all models end, and their
/// tasks are cancelled.
public final class Store<Root: StoreRoot>: Sendable {
    @usableFromInline let memory: RootMemory<Root.RootState>
    @usableFromInline let root: RootNodes<Root.RootState, Root.RootModel>
    @usableFromInline let lifetime: StoreLifetime

    /// Creates a store on the main queue.
    ///
    /// - Parameters:
    ///   - initialState: The first state; readable at once.
    ///   - dependencies: Overrides dependencies of all models. Called once, before the first model is activated.
    @inlinable
    public convenience init(
        initialState: Root.RootState, dependencies: (inout DependencyValues) -> Void = { _ in }
    ) {
        self.init(initialState: initialState, scheduler: .main, dependencies: dependencies)
    }

    /// Creates a store on the given scheduler.
    ///
    /// - Parameters:
    ///   - initialState: The first state; readable at once.
    ///   - scheduler: Where models are activated, their tasks run and observers are notified; its clock is the default
    ///     of the dependency `clock`. Called from it, the models are active when this returns.
    ///   - dependencies: Overrides dependencies of all models. Called once, before the first model is activated.
    @inlinable
    public convenience init(
        initialState: Root.RootState, scheduler: some SerialScheduler,
        dependencies: (inout DependencyValues) -> Void = { _ in }
    ) {
        self.init(initialState, scheduler, host: nil, dependencies)
    }

    /// - Parameter host: The host of the store, if it is a guest.
    @inlinable
    init(
        _ initialState: Root.RootState, _ scheduler: some SerialScheduler, host: StoreHost?,
        _ dependencies: (inout DependencyValues) -> Void
    ) {
        let ownHost = host ?? StoreHost(scheduler)
        var values = DependencyValues(ownHost, isOfGuest: host != nil, scheduler)
        values.apply(dependencies)
        // Behind the guests, which are on the scheduler before it.
        memory = RootMemory(
            System(
                initialState: Stored(initialState), scheduler: scheduler,
                reducer: Reducer { (state: Stored<Root.RootState>, _: ModelChange) in .value(state) },
                feedbacks: [.none()]),
            Gate(scheduler))
        let tree = Tree(Tree.TreeStorage(memory), scheduler, ownHost, isGuest: host != nil, values)
        lifetime = StoreLifetime(tree)
        root = Root.rootPlan.makeNodes(memory)
        values.startRecording?(self)
        if host == nil { ownHost.begin(values) } else { ownHost.add(memory, lifetime) }
        ownHost.leaving { root.begin(tree, initialState) }
    }

    /// Creates a store on the main queue whose state arrives later.
    ///
    /// - Parameters:
    ///   - delayedInitialState: The state, which replaces ``EmptyRoot/emptyState`` once. If it is rejected, the error
    ///     is reported as unhandled.
    ///   - dependencies: Overrides dependencies of all models. Called once, before the first model is activated.
    @inlinable
    public convenience init(
        delayedInitialState: Promise<Root.RootState>,
        dependencies: (inout DependencyValues) -> Void = { _ in }
    ) where Root: EmptyRoot {
        self.init(delayedInitialState: delayedInitialState, scheduler: .main, dependencies: dependencies)
    }

    /// Creates a store whose state arrives later. Until then it is empty; earlier writes are lost.
    ///
    /// - Parameters:
    ///   - delayedInitialState: The state, which replaces ``EmptyRoot/emptyState`` once. If it is rejected, the error
    ///     is reported as unhandled.
    ///   - scheduler: As in ``init(initialState:scheduler:dependencies:)``; the promise is started on it.
    ///   - dependencies: Overrides dependencies of all models. Called once, before the first model is activated.
    @inlinable
    public convenience init(
        delayedInitialState: Promise<Root.RootState>, scheduler: some SerialScheduler,
        dependencies: (inout DependencyValues) -> Void = { _ in }
    ) where Root: EmptyRoot {
        self.init(initialState: Root.emptyState, scheduler: scheduler, dependencies: dependencies)
        delayedInitialState.start(on: scheduler).done { [weak self] state in
            guard let self else { return }
            lifetime.tree.asLogic { root.write(state, lifetime.tree, at: Origin(#fileID, #line)) }
        }
    }

    /// The root: it keeps the store, as do all models that are taken from it.
    @inlinable public var model: Root {
        var nodes: [Node<Root.RootModel>] = []
        lifetime.tree.storage.reading { _ in nodes = root.nodes }
        return Root.root(
            of: nodes.map { Root.RootModel(context: ModelContext(node: $0, lifetime: lifetime)) })
    }

    /// A copy of the whole state.
    @inlinable public var state: Root.RootState {
        (lifetime.tree.readsOverride ? memory.stateOverride : nil) ?? memory.state
    }

    /// A source of the whole state: the present one, and each one that a write leads to. It holds a copy of the state,
    /// so that arrays in it are copied by the next write to them: observe properties of models instead.
    @inlinable public var states: Source<Root.RootState> { memory.system.settled.map { $0.state } }

    /// Calls a closure with a record of every write.
    ///
    /// - Parameter callback: Called on the store's scheduler with the state before and after the write, and with what
    ///   was written.
    /// - Returns: A token that ends it.
    @discardableResult
    public func onWrite(
        _ callback: @escaping @Sendable (StoreRecord<Root.RootState>) -> Void
    ) -> SubscriptionToken {
        memory.system.onLoop { record in
            callback(
                StoreRecord(
                    number: record.number, change: record.event, origin: record.origin,
                    before: record.before.state, after: record.after.state))
        }
    }

    /// Prints every write with the changes that it made to the state, using ``onWrite(_:)``.
    ///
    /// - Parameters:
    ///   - limits: How many values are compared and how many changes are printed.
    ///   - output: Called once for each write, with all its lines, on the store's scheduler; by default, `print`.
    /// - Returns: A token that ends the printing when cancelled.
    @discardableResult
    public func printChanges(
        limits: StateDiff.Limits = .init(), to output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> SubscriptionToken {
        onWrite { record in
            let diff = StateDiff(from: record.before, to: record.after, limits: limits)
            let isShort = diff.changes.count <= 1 && diff.isComplete
            output("\(record.change):" + (isShort ? " " : "\n") + diff.description)
        }
    }

    /// Replaces the whole state: models whose states are in both stay.
    public func replace(
        _ state: Root.RootState, file: StaticString = #fileID, line: UInt = #line
    ) { root.write(state, lifetime.tree, at: Origin(file, line)) }

    /// The dependencies of all models that do not override them.
    public var dependencies: DependencyValues { lifetime.tree.dependencies }
}

/// The record of a write to a store.
public struct StoreRecord<State: Sendable>: Sendable {
    /// Counts the writes of the store that were shown.
    public let number: Int
    /// The written model and property.
    public let change: ModelChange
    /// The place of the call of ``ModelState/update(_:file:line:)``; unknown for a write to a property.
    public let origin: Origin
    /// The state before the write.
    public let before: State
    /// The state after it.
    public let after: State
}
