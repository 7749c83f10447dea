public import PromisedSystem

internal import Promise

extension ModelContext {
    /// A property of the state, tracked if the caller is inside of `withObservationTracking`.
    @inlinable
    func observed<Value: Sendable>(
        _ path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        isObservationTracked ? tracked(path, areEqual) : node.read(path)
    }

    @usableFromInline
    func tracked<Value: Sendable>(
        _ path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        source(of: path, areEqual).value
    }

    /// Tracks which models a slot has, and their order.
    func trackSlot(_ slot: Int) {
        let source = node.tree.gate.withGate { () -> Source<[Int]> in
            let known = node.extras?.parts.first { $0.slot == slot } as? Part<M, [Int]>
            return (known ?? Part(node, slot: slot)).source
        }
        _ = source.value
    }

    /// The source of a property.
    @inlinable
    func source<Value: Sendable>(
        of path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Source<Value> {
        node.tree.gate.withGate {
            let known = node.part(at: PathPart(path)) as? Part<M, Value>
            return (known ?? Part(node, path, areEqual)).source
        }
    }
}

extension AnyNode {
    /// The observed part at a path. Called with the gate.
    @usableFromInline
    final func part(at path: PathPart) -> AnyPart? {
        extras?.parts.first { $0.path == path && $0.slot == nil }
    }

    /// The numbers of the nodes of a slot, in order.
    final func numbers(inSlot slot: Int) -> [Int] {
        var numbers: [Int] = []
        tree.storage.reading { if slot < slots.count { numbers = slots[slot].children.map(\.number) } }
        return numbers
    }
}
