public import PromisedSystem

internal import Promise

extension ModelContext {
    /// A property of the state, tracked if the caller is inside of `withObservationTracking`.
    @inlinable
    func observed<Value: Sendable>(
        _ path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        guard isObservationTracked else { return node.read(path) }
        let isOutermost = node.tree.gate.acquire()
        defer { if isOutermost { node.tree.gate.release() } }
        part(at: path, areEqual, isOfLogic: node.tree.isOfLogic).track()
        return node.read(path)
    }

    /// Tracks which models a slot has, and their order.
    func trackSlot(_ slot: Int) {
        node.tree.gate.withGate { [node, place = node.type.children[slot].place] in
            let known = node.extras?.parts.first { $0.slot == slot }
            let present = { @Sendable in node.numbers(inSlot: slot) }
            (known ?? Part(node, place.path, slot: slot, place.bytes, ==, present: present)).track()
        }
    }

    /// The source of a property.
    @inlinable
    func source<Value: Sendable>(
        of path: any KeyPath<M.State, Value> & Sendable, isOfLogic: Bool = false,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Source<Value> {
        let isOutermost = node.tree.gate.acquire()
        defer { if isOutermost { node.tree.gate.release() } }
        return part(at: path, areEqual, isOfLogic: isOfLogic).source { [node] in
            isOfLogic ? node.tree.asLogic { node.read(path) } : node.read(path)
        }
    }

    /// The part of a property: the one that is observed, if there is one. Called with the gate.
    @inlinable
    func part<Value: Sendable>(
        at path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool, isOfLogic: Bool
    ) -> Part {
        if let known = node.part(at: PathPart(path), isOfLogic: isOfLogic) { return known }
        let bytes = MemoryLayout<M.State>.offset(of: path).map { $0..<$0 + MemoryLayout<Value>.size }
        return Part(node, PathPart(path), bytes, isOfLogic: isOfLogic, areEqual) { [node] in node.read(path) }
    }
}

extension AnyNode {
    /// The observed part at a path. Called with the gate.
    @usableFromInline
    final func part(at path: PathPart, isOfLogic: Bool) -> Part? {
        extras?.parts.first { $0.path == path && $0.slot == nil && $0.isOfLogic == isOfLogic }
    }

    /// The numbers of the nodes of a slot, in order.
    final func numbers(inSlot slot: Int) -> [Int] {
        var numbers: [Int] = []
        tree.storage.reading { _ in if slot < slots.count { numbers = slots[slot].children.map(\.number) } }
        return numbers
    }
}
