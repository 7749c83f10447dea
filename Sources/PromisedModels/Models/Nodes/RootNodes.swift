public import Promise
public import Synchronization
internal import PromisedSystem

/// The nodes at the root of a store.
@usableFromInline
final class RootNodes<State: Sendable, M: Model>: Sendable {
    @usableFromInline let slot: AnySlot
    private let memory: RootMemory<State>
    /// Compares the nodes with a state of the store.
    private let compare: @Sendable (State, Tree, inout TreeChanges) -> Void

    @inlinable
    convenience init<Kind: ElementKind>(_ memory: RootMemory<State>, _ kind: Kind)
    where Kind.Whole == State, Kind.Element == M.State {
        let slot = Slot<Kind.ID>()
        let access = Self.access(memory, kind)
        self.init(slot, memory) { state, tree, changes in
            SlotComparison<Kind, M>(slot, kind, state, tree, nil, number: 0, access).collect(&changes)
        }
    }

    @usableFromInline
    init(
        _ slot: AnySlot, _ memory: RootMemory<State>,
        _ compare: @escaping @Sendable (State, Tree, inout TreeChanges) -> Void
    ) {
        (self.slot, self.memory, self.compare) = (slot, memory, compare)
    }

    @usableFromInline var nodes: [Node<M>] { slot.children.map { unsafeDowncast($0, to: Node<M>.self) } }

    /// Creates the first nodes.
    @usableFromInline
    func begin(_ tree: Tree, _ state: State) {
        tree.compareRoot = { [self] tree, changes in compare(memory.state, tree, &changes) }
        tree.replaceRoot = { [self] state, origin in
            if let state = state as? State { write(state, tree, at: origin) }
        }
        tree.begin(slot) { compare(state, tree, &$0) }
    }

    /// Replaces the state of the store.
    @usableFromInline
    func write(_ state: State, _ tree: Tree, at origin: Origin) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard !tree.isSilenced else { return }
        var (state, changes) = (state, TreeChanges())
        let isDraft = tree.isDrafting.load(ordering: .relaxed)
        let change = ModelChange(model: "\(M.self)", place: "", property: "")
        if isDraft {
            tree.draftedRoot = (change, origin, NotificationContext.current, tree.drafted.count)
        } else {
            compare(state, tree, &changes)
        }
        let isMade = tree.make(changes) {
            memory.change { swap(&$0, &state) }
            if isDraft { tree.undo.append(restoring(state)) }
            return true
        }
        guard isMade, !isDraft else { return }
        if tree.needsNotice { tree.enqueueNotice(change, origin) }
        if tree.isObserved { tree.notify(of: slot.children.map { (($0, nil), NotificationContext.current) }) }
    }

    /// What restores the state of the store, which returns the other one.
    private func restoring(_ state: State) -> Tree.Undo {
        { [memory] in
            var state = state
            memory.change { swap(&$0, &state) }
            return state
        }
    }

    /// The way from the state of the store to that of a node.
    @inlinable
    static func access<Kind: ElementKind>(
        _ memory: RootMemory<State>, _ kind: Kind
    ) -> Node<M>.Access where Kind.Whole == State, Kind.Element == M.State {
        typealias Access = Node<M>.Access
        // The slot is not captured: it retains the nodes, which retain this.
        let id: @Sendable (AnyNode) -> Kind.ID? = { node in
            guard node.isActive, let root = node.tree.root else { return nil }
            let ids = unsafeDowncast(root, to: Slot<Kind.ID>.self).ids
            return node.index < ids.count ? ids[node.index] : nil
        }
        let read: Access.Read = { node, _, body in
            guard let id = id(node) else { return false }
            return memory.look { state in
                if node.tree.isDrafting.load(ordering: .relaxed) {
                    if kind.readSame(id, at: node.index, in: state, body) { return true }
                } else if kind.read(id, at: node.index, in: state, body) {
                    return true
                }
                guard node.tree.readsByPlace else { return false }
                return kind.element(atPlace: node.index, in: copy state).map { body($0) } != nil
            }
        }
        let change: Access.Change = { node, _, body in
            guard let id = id(node) else { return .absent }
            var result = WriteResult.absent
            memory.change { state in
                let isDrafting = node.tree.isDrafting.load(ordering: .relaxed)
                _ = kind.change(id, at: node.index, in: &state) { element in
                    if isDrafting, kind.hasOwnIdentity, !kind.isSame(id, element) { return }
                    result = kind.exchange(id, &element, body)
                }
            }
            return result
        }
        let isSame: Access.IsSame = { node, state in id(node).map { kind.isSame($0, state) } ?? true }
        return Access(
            read: read, change: change, isSame: kind.hasOwnIdentity ? isSame : nil,
            mayLoseState: kind.mayLoseElements,
            replace: { node, element, origin in
                guard let id = id(node) else { return }
                var state = memory.state
                if let other = kind.collision(of: element, at: id, in: state) {
                    return node.report(.refusedElement("\(Kind.Element.self)", id: "\(other)"), at: origin)
                }
                _ = kind.change(id, at: node.index, in: &state) { $0 = element }
                node.tree.replaceRoot?(state, origin)
            },
            remove: { node, origin in
                guard let id = id(node) else { return false }
                var state = memory.state
                guard kind.remove(id, at: node.index, from: &state) else { return false }
                node.tree.replaceRoot?(state, origin)
                return true
            })
    }
}
