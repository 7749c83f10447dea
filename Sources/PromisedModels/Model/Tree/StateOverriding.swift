internal import Promise
internal import PromisedSystem
internal import Synchronization

// An override is for readers. The logic of a store continues with the present state: its tasks, its hooks, and its
// deliveries but for notifications of readers. All other code reads the override, and changes nothing.

/// Whose code the caller is.
@usableFromInline
enum StoreAccess: Sendable {
    /// The memory of the store whose logic it is, unless it is in a task of a model, which is known by ``TaskRun``.
    @TaskLocal static var logic: ObjectIdentifier?

    /// Calls a closure that is no part of the logic of any store.
    @usableFromInline
    static func asReader<Result>(_ body: () -> Result) -> Result {
        TaskRun.leaving { $logic.withValue(nil, operation: body) }
    }
}

extension Tree {
    @usableFromInline var isOfLogic: Bool {
        StoreAccess.logic == ObjectIdentifier(memory) || TaskRun.current?.task.node.tree === self
    }

    /// Whether the caller reads an override.
    @inlinable var readsOverride: Bool { memory.isOverridden && !isOfLogic }

    /// Calls a closure that is a part of the store's logic.
    @usableFromInline
    func asLogic<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard memory.isOverridden else { return try body() }
        return try StoreAccess.$logic.withValue(ObjectIdentifier(memory), operation: body)
    }

    /// Whether a write is to be ignored, which is then counted.
    @usableFromInline
    func ignoresWrite() -> Bool {
        guard readsOverride else { return false }
        memory.ignoredWrites.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    /// Notifies the observers of properties after the override has changed. Called with the gate.
    @usableFromInline
    func notifyOfOverride() {
        StoreAccess.asReader {
            let parts = observed.values.sorted { $0.number < $1.number }.flatMap { $0.extras?.parts ?? [] }
            notify(parts.filter { !$0.isOfLogic })
        }
    }
}

extension RootMemory {
    /// Passes the place of the override to a closure; false if there is none.
    @usableFromInline
    func readingOverride(_ body: (RootPlace) -> Void) -> Bool {
        system.lookAtOverride { stored in
            body(
                RootPlace(
                    UnsafeMutablePointer(mutating: Place(stored).stored(State.self, at: offset).address)))
        }
    }

    @usableFromInline var stateOverride: State? {
        var state: State?
        _ = readingOverride { state = $0.state(State.self).pointee }
        return state
    }
}

extension Node {
    /// The same as ``look(_:)``, in the override; nil if the caller does not read that, or if it has no such state.
    @usableFromInline
    final func lookAtOverride<Result>(_ body: (Place<M.State>) -> Result) -> Result? {
        guard !tree.isOfLogic else { return nil }
        var result: Result?
        _ = tree.storage.readingOverride { root in
            if isActive { _ = reach(root) { result = body($0) } }
        }
        return result
    }
}

extension Store {
    /// A state that readers see in place of the present one: a look at an earlier moment. Nil for none, as at first.
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
    /// let store = Store<Counter>(initialState: .init(count: 5), scheduler: .immediate)
    /// store.stateOverride = .init(count: 2)
    /// store.model.incrementTapped()
    /// print(store.model.count, store.ignoredWrites)  // 2 1
    /// store.stateOverride = nil
    /// print(store.model.count)  // 5
    /// ```
    ///
    /// ``state``, ``states``, properties of models and their observers have the override at once; observers are notified
    /// on the store's scheduler, at its end as well. What a reader writes, sends or begins through a model meanwhile goes
    /// nowhere. The logic of the store continues with the present state: tasks of models, hooks such as
    /// `onActivate`, and what they observe by `onChange`, `changes`, `values` and `task(id:)`; so read by `source(of:)`
    /// or by observation tracking to see the override.
    ///
    /// The models are those of the present state: one that has no state in the override shows its present one.
    public var stateOverride: Root.RootState? {
        get { memory.isOverridden ? memory.stateOverride : nil }
        set {
            let tree = lifetime.tree
            let isOutermost = tree.gate.acquire()
            defer { if isOutermost { tree.releaseGate() } }
            guard !tree.isOver, let notify = memory.system.override(by: newValue.map { Stored($0) }) else {
                return
            }
            memory.isOverridden = newValue != nil
            tree.enqueueNotification(notify)
            tree.notifyOfOverride()
        }
    }

    /// The number of writes that were ignored because of a ``stateOverride``.
    public var ignoredWrites: Int { memory.ignoredWrites.load(ordering: .relaxed) }
}
