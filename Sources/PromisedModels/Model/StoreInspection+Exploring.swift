package import Promise
package import PromisedSystem

/// The memory of models beside the state of their store.
///
/// Unchecked because of the erased values, which are `Sendable`.
package struct ModelMemory: Hashable, @unchecked Sendable {
    private var values: [String: AnyHashable] = [:]
    /// Whether it has something that cannot be compared.
    fileprivate private(set) var isComparable = true

    fileprivate init(states: [any Sendable]) {
        for (index, state) in states.enumerated() { add(state, "\(index)") }
    }

    fileprivate init() {}

    /// Adds what the models of a store remember.
    fileprivate mutating func add(_ nodes: [AnyNode]) {
        for node in nodes {
            guard let extras = node.extras else { continue }
            isComparable = isComparable && extras.dependencies.isEmpty
            for (id, value) in extras.properties { add(value.present, "\(node.identityText) \(id)") }
            for (id, value) in extras.preferences { add(value, "\(node.identityText) \(id)") }
        }
    }

    private mutating func add(_ value: any Sendable, _ name: String) {
        if let value = value as? any Hashable {
            values[name] = AnyHashable(value)
        } else {
            isComparable = false
        }
    }
}

extension Tree {
    /// All nodes, parents before children.
    var nodes: [AnyNode] { (root?.children ?? []).flatMap { [$0] + $0.descendants } }
}

extension AnyStoreInspection {
    fileprivate var anyState: any Sendable { typed.state }
}

// The store together with those of its guests.
extension StoreInspection {
    private var trees: [Tree] { [tree] + tree.host.inspections.map(\.tree) }

    /// Has tasks named by the places of their models, so that they are the same on each path to a state.
    package func nameTasksByPlace() {
        tree.gate.withGate { tree.namesTasksByPlace = true }
        observeGuests { guest in guest.tree.gate.withGate { guest.tree.namesTasksByPlace = true } }
    }

    /// The states that models can read; a value that is not `Hashable` if one of them is not.
    package var states: any Sendable {
        let guests = tree.host.inspections
        if guests.isEmpty { return state }
        let states = ModelMemory(states: [state] + guests.map(\.anyState))
        return states.isComparable ? states : Incomparable()
    }

    private struct Incomparable: Sendable {}

    /// The memory of models beside the states; nil if it cannot be compared.
    package var remembered: ModelMemory? {
        var memory = ModelMemory()
        for tree in trees { tree.gate.withGate { memory.add(tree.nodes) } }
        return memory.isComparable ? memory : nil
    }

    /// The tasks that handle sequences: those that wait for an element, and those that are at work.
    package var sequences: (waiting: [EffectKey: Origin], busy: Set<EffectKey>) {
        let tasks = trees.flatMap { tree in
            tree.gate.withGate {
                tree.nodes.flatMap { $0.extras?.tasks.values.filter { $0.handlesSequence } ?? [] }
            }
        }
        let waiting = tasks.filter { !$0.isAtWork }.map { ($0.key, $0.origin) }
        return (Dictionary(waiting) { $1 }, Set(tasks.filter(\.isAtWork).map(\.key)))
    }
}
