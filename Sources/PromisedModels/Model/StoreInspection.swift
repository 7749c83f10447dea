package import Promise
internal import Synchronization

/// A store, for code that does not know the type of its state.
package protocol AnyStoreInspection: Sendable {
    associatedtype State: Sendable
    var typed: StoreInspection<State> { get }
    var tree: Tree { get }
}

/// The view of a test kit on a store.
package struct StoreInspection<State: Sendable>: AnyStoreInspection {
    let memory: RootMemory<State>
    package let tree: Tree

    package var typed: StoreInspection { self }

    /// A copy of the state.
    package var state: State { memory.state }

    /// The name of the models at the root.
    package var name: String { tree.gate.withGate { tree.root?.children.first?.name } ?? "\(State.self)" }

    /// Ends all models, as the release of the store does.
    package func end() { tree.end() }

    /// Calls a closure with every store of a model that is a dependency of this one: with those that there are, and with
    /// later ones before they are activated.
    package func observeGuests(_ body: @escaping @Sendable (any AnyStoreInspection) -> Void) {
        tree.host.observeGuests { guest in if let guest = guest as? any AnyStoreInspection { body(guest) } }
    }

    /// Whether a model is one of this store.
    package func contains(_ model: some Model) -> Bool { model.context.node.tree === tree }

    /// The state of a model in a copy of the store's state; nil if it has none there, but one of another identity.
    package func part<M: Model>(of state: State, at model: M) -> M.State? {
        let node = model.context.node
        guard contains(model) else { return nil }
        var part: M.State?
        _ = using(state) { root in
            guard node.lineage.allSatisfy({ ($0 as? any IdentityChecking)?.isFound(root) ?? false }) else {
                return
            }
            _ = node.reach(root) { part = $0.value }
        }
        return part
    }

    /// Replaces the state of a model in a copy of the store's state.
    ///
    /// - Returns: Nil if the model has no state there.
    package func replacing<M: Model>(_ part: M.State, in state: State, at model: M) -> State? {
        var isFound = false
        let changed = using(state) { root in
            isFound = model.context.node.change(root) { $0 = part } != .absent
        }
        return isFound ? changed : nil
    }

    /// Runs a closure in which the ways to the states of models lead into a copy.
    private func using(_ state: State, _ body: (RootPlace) -> Void) -> State {
        tree.gate.withGate {
            tree.memory.isDrafting = true
            defer { tree.memory.isDrafting = false }
            return memory.using(state, body)
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
            tree.nodes.flatMap { node in
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
    func isFound(_ root: RootPlace) -> Bool
}

extension Node: IdentityChecking {
    fileprivate func isFound(_ root: RootPlace) -> Bool {
        var isSame = false
        return reach(root) { isSame = access.rules.isSame?(self, $0.value) ?? true } && isSame
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
