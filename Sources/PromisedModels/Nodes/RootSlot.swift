internal import Promise
internal import Synchronization
internal import PromisedSystem

/// The nodes at the root of a store.
class RootSlot<State: Sendable, M: Model>: AnySlot {
    var nodes: [Node<M>] { [] }
    /// Creates the first nodes, or compares them with a state that is written.
    func compare(_ state: State, _ tree: Tree, _ changes: inout TreeChanges) {}
    /// Replaces the state of the store.
    func write(_ state: State, _ tree: Tree, at origin: Origin) {}
}

/// The nodes at the root, by their identities.
final class RootElements<Kind: ElementKind, M: Model>: RootSlot<Kind.Whole, M>
where Kind.Element == M.State {
    private let elements = ElementNodes<Kind, M>()
    private let memory: RootMemory<Kind.Whole>
    private let kind: Kind

    init(_ memory: RootMemory<Kind.Whole>, _ kind: Kind) { (self.memory, self.kind) = (memory, kind) }

    override var children: [AnyNode] { elements.nodes }
    override var nodes: [Node<M>] { elements.nodes }

    override func compareWithDraft(_ tree: Tree, _ changes: inout TreeChanges) {
        compare(memory.state, tree, &changes)
    }

    override func compare(_ state: Kind.Whole, _ tree: Tree, _ changes: inout TreeChanges) {
        elements.compare(kind, state, .init(tree: tree, node: nil, slot: 0, access: access), &changes)
    }

    override func write(_ state: Kind.Whole, _ tree: Tree, at origin: Origin) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        memory.beginRecord()
        var (state, changes) = (state, TreeChanges())
        let isDraft = tree.isDrafting.load(ordering: .relaxed)
        if isDraft { tree.hasDraftedRoot = true } else { compare(state, tree, &changes) }
        guard tree.make(changes, with: { memory.change { swap(&$0, &state) } }), !isDraft else { return }
        let change = ModelChange(model: "\(M.self)", place: "", property: "")
        if let notice = memory.notice({ change }, origin) { tree.enqueue(notice) }
        if tree.isObserved { tree.notify(of: elements.nodes.map { ($0, nil) }) }
    }

    private var access: Node<M>.Access {
        // Parallel to a child's, but the whole is the state of the store.
        let (elements, memory, kind) = (Unchecked(elements), memory, kind)
        typealias Access = Node<M>.Access
        let id: @Sendable (AnyNode) -> Kind.ID? = { node in
            let ids = elements.value.ids
            return node.isActive && node.index < ids.count ? ids[node.index] : nil
        }
        let read: Access.Read = { node, body in
            guard let id = id(node) else { return false }
            return memory.look { kind.read(id, at: node.index, in: $0, body) }
        }
        let change: Access.Change = { node, body in
            guard let id = id(node) else { return false }
            return memory.change { kind.change(id, at: node.index, in: &$0, body) }
        }
        let isSame: Access.IsSame = { node, state in id(node).map { kind.isSame($0, state) } ?? true }
        return Access(
            read: read, change: change, isSame: kind.hasOwnIdentity ? isSame : nil,
            replace: { node, element, origin in
                guard let id = id(node) else { return }
                var state = memory.state
                _ = kind.change(id, at: node.index, in: &state) { $0 = element }
                (node.tree.root as? RootSlot<Kind.Whole, M>)?.write(state, node.tree, at: origin)
            })
    }
}

/// A reference that is used under the lock of the tree that it belongs to, which the compiler cannot see.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
