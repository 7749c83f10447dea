public import Promise
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
        let slot = Slot<Kind.ID>(nil)
        let access = Node<M>.Access(kind, in: StoreState(memory), mayLoseState: kind.mayLoseElements)
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
        guard !tree.ignoresWrite(), !tree.isSilenced else { return }
        var (state, changes) = (state, TreeChanges())
        let isDraft = tree.memory.isDrafting
        let change = ModelChange(model: "\(M.self)", place: "", property: "")
        if isDraft {
            tree.draftedRoot = (change, origin, NotificationContext.current, tree.drafted.count)
        } else {
            compare(state, tree, &changes)
        }
        let isMade = tree.make(changes) { root in
            swap(&root.state(State.self).pointee, &state)
            if isDraft { tree.memory.undo.append(restoring(state)) }
            return true
        }
        guard isMade, !isDraft else { return }
        if tree.memory.needsNotice { tree.enqueueNotice(change, origin) }
        if tree.isObserved { tree.notify(of: slot.children.map { (($0, nil), NotificationContext.current) }) }
    }

    /// An action that restores the state of the store, and returns the other one.
    private func restoring(_ state: State) -> StateMemory.Undo {
        { root in
            var state = state
            swap(&root.state(State.self).pointee, &state)
            return state
        }
    }
}

/// The state of the store, of which the nodes at the root have a part.
@usableFromInline
struct StoreState<State: Sendable>: Surroundings {
    @usableFromInline let memory: RootMemory<State>

    @inlinable
    init(_ memory: RootMemory<State>) { self.memory = memory }

    @inlinable
    func read(_ node: AnyNode, _ ground: Ground, _ body: (Place<State>) -> Void) -> Bool {
        guard node.isActive, case .store(let root) = ground else { return false }
        body(Place(UnsafePointer(root.state(State.self))))
        return true
    }

    @inlinable
    func change(_ node: AnyNode, _ ground: Ground, _ body: (inout State) -> Void) -> WriteResult {
        guard node.isActive, case .store(let root) = ground else { return .absent }
        body(&root.state(State.self).pointee)
        return .done
    }

    @inlinable
    func write(_ node: AnyNode, at origin: Origin, _ change: (inout State) -> Bool) -> Bool {
        guard node.isActive else { return false }
        var state = memory.state
        guard change(&state) else { return false }
        node.tree.replaceRoot?(state, origin)
        return true
    }
}
