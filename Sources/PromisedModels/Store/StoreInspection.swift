package import Promise
internal import Synchronization

/// What a test kit sees of a store.
package struct StoreInspection<State: Sendable>: Sendable {
    let memory: RootMemory<State>
    let tree: Tree

    /// Whether a model is one of this store.
    package func contains(_ model: some Model) -> Bool { model.context.node.tree === tree }

    /// The state of a model in a copy of the store's state; nil if it has none there, but one of another identity.
    package func part<M: Model>(of state: State, at model: M) -> M.State? {
        let node = model.context.node
        guard contains(model) else { return nil }
        var part: M.State?
        _ = using(state) {
            guard node.lineage.allSatisfy({ ($0 as? any IdentityChecking)?.isFound ?? false }) else { return }
            _ = node.access.read(node) { part = copy $0 }
        }
        return part
    }

    /// Replaces the state of a model in a copy of the store's state.
    ///
    /// - Returns: Nil if the model has no state there.
    package func replacing<M: Model>(_ part: M.State, in state: State, at model: M) -> State? {
        var isFound = false
        let changed = using(state) {
            isFound = model.context.node.access.change(model.context.node) { $0 = part } != .absent
        }
        return isFound ? changed : nil
    }

    /// Runs a closure in which the ways to the states of models lead into a copy.
    private func using(_ state: State, _ body: () -> Void) -> State {
        tree.gate.withGate {
            memory.draft = state
            tree.isDrafting.store(true, ordering: .relaxed)
            body()
            tree.isDrafting.store(false, ordering: .relaxed)
            return memory.draft.take() ?? state
        }
    }

    /// Calls a closure with every event that is sent, on the store's scheduler: the event, the model that has sent it,
    /// and the number of that model.
    package func observeEvents(
        _ observer: @escaping @Sendable (_ event: any Sendable, _ sender: any Model, _ number: Int) -> Void
    ) {
        tree.gate.withGate {
            tree.eventObserver = { event, sender in observer(event, sender.anyModel, sender.number) }
        }
    }

    /// Calls a closure with every preference that is set: the key, the name of the model, and its number with those of
    /// the models above it.
    package func observePreferences(
        _ observer: @escaping @Sendable (_ key: Any.Type, _ model: String, _ lineage: [Int]) -> Void
    ) {
        tree.gate.withGate {
            tree.preferenceObserver = { key, sender, _ in
                observer(key, sender.name, sender.lineage.map(\.number))
            }
        }
    }

    /// The tasks that are at work, in the order of their nodes: the model, and where the task was started. One that
    /// waits for the next element of a sequence is not at work.
    package var runningTasks: [(model: String, origin: Origin)] {
        tree.gate.withGate {
            nodes.flatMap { node in
                (node.extras?.tasks.values ?? [:].values).filter(\.isAtWork)
                    .sorted { $0.number < $1.number }
                    .map { (node.name, $0.origin) }
            }
        }
    }
}

/// A node, for code that does not know the type of its model.
private protocol IdentityChecking {
    /// Whether the state at the node's place, in the copy that is used, has the identity of the node.
    var isFound: Bool { get }
}

extension Node: IdentityChecking {
    fileprivate var isFound: Bool {
        var isSame = false
        return access.read(self) { isSame = access.isSame?(self, $0) ?? true } && isSame
    }
}

/// What models remember beside the state of their store.
///
/// Unchecked because of the erased values, which are `Sendable`.
package struct ModelMemory: Hashable, @unchecked Sendable {
    private var values: [String: AnyHashable] = [:]
    /// Whether it has something that cannot be compared.
    fileprivate private(set) var isComparable = true

    fileprivate init(_ nodes: [AnyNode]) {
        for node in nodes {
            guard let extras = node.extras else { continue }
            isComparable = isComparable && extras.dependencies.isEmpty
            for (id, value) in extras.properties { add(value.present, "\(id)", of: node) }
            for (id, value) in extras.preferences { add(value, "\(id)", of: node) }
        }
    }

    private mutating func add(_ value: any Sendable, _ name: String, of node: AnyNode) {
        if let value = value as? any Hashable {
            values["\(node.identityText) \(name)"] = AnyHashable(value)
        } else {
            isComparable = false
        }
    }
}

// Exploring.
extension StoreInspection {
    private var nodes: [AnyNode] { (tree.root?.children ?? []).flatMap { [$0] + $0.descendants } }

    /// Has tasks named by the places of their models, so that they are the same on each path to a state.
    package func nameTasksByPlace() { tree.gate.withGate { tree.namesTasksByPlace = true } }

    /// What models remember beside the state; nil if it cannot be compared.
    package var remembered: ModelMemory? {
        tree.gate.withGate {
            let memory = ModelMemory(nodes)
            return memory.isComparable ? memory : nil
        }
    }

    /// The tasks that handle sequences: those that wait for an element, and those that are at work.
    package var sequences: (waiting: [EffectKey: Origin], busy: Set<EffectKey>) {
        tree.gate.withGate {
            let tasks = nodes.flatMap { $0.extras?.tasks.values.filter { $0.handlesSequence } ?? [] }
            let waiting = tasks.filter { !$0.isAtWork }.map { ($0.key, $0.origin) }
            return (Dictionary(waiting) { $1 }, Set(tasks.filter(\.isAtWork).map(\.key)))
        }
    }
}

extension Store {
    package var inspection: StoreInspection<Root.RootState> { .init(memory: memory, tree: lifetime.tree) }

    /// Ends all models, as the release of the store does.
    package func end() { lifetime.tree.end() }
}

extension Model {
    /// The number of the model's state in its store.
    package var number: Int { context.node.number }
    package var typeName: String { context.node.name }
}
