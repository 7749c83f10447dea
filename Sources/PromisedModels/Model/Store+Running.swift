internal import Promise
public import PromisedSystem

extension Store {
    /// The tasks of all models that are running now, in the order in which they were started, and the calls of endpoints
    /// on the store's scheduler.
    ///
    /// A task has the name of the type of its model, and the place where it was started. Those of models that are
    /// dependencies of this store follow. A task that waits for the next element of a sequence is running, too.
    ///
    /// ```swift
    /// import PromisedModels
    ///
    /// struct Page: Model {
    ///     struct State: Equatable { var text = "" }
    ///     let context: ModelContext<Page>
    ///     let load: @Sendable () async throws -> String = { "text" }
    ///
    ///     init(context: ModelContext<Page>) { self.context = context }
    ///
    ///     func appeared() { task { context.state.text = try await load() } }
    /// }
    ///
    /// let store = Store<Page>(initialState: .init())
    /// store.model.appeared()
    /// for work in store.running { print(work) }
    /// ```
    ///
    /// It can be read on any thread: see `System.running`.
    public var running: [Running] {
        let own = inspection.running
        let guests = lifetime.tree.host.inspections.flatMap { $0.running.filter { $0.kind != .call } }
        return own.filter { $0.kind != .call } + guests + own.filter { $0.kind == .call }
    }
}

extension AnyStoreInspection {
    fileprivate var running: [Running] { typed.runningTasksAndCalls }
}

extension StoreInspection {
    fileprivate var runningTasksAndCalls: [Running] {
        let work = memory.system.running
        // By the keys of their effects. Hooks and subscriptions have none.
        let tasks = tree.gate.withGate { tree.nodes.flatMap { Array(($0.extras?.tasks ?? [:]).values) } }
        let byKey = Dictionary(tasks.map { ($0.key, $0) }) { $1 }
        return work.map { work in
            guard let task = work.key.flatMap({ byKey[$0] }) else { return work }
            return Running(work.kind, task.node.name, at: task.origin, for: work.duration)
        }
    }
}
