internal import Synchronization
internal import PromisedSystem

public import Promise

/// A node with the state of one model.
@usableFromInline
package class Node<M: Model>: AnyNode, @unchecked Sendable {
    @usableFromInline final let type: ModelType<M>
    @usableFromInline final let access: Access
    /// The last state, after the end; before it, the first one, if the state may be lost. Changed under the lock.
    @exclusivity(unchecked) @usableFromInline final var last: StateCopy<M.State>?

    @inlinable
    init(_ tree: Tree, _ parent: AnyNode?, slot: Int, index: Int, _ access: Access) {
        (type, self.access) = (ModelType.of(tree), access)
        super.init(tree, parent, slot: slot, index: index)
    }

    /// The model. It does not keep its store.
    @inlinable final var model: M { M(context: ModelContext(node: self, lifetime: nil)) }

    @inlinable override final var name: String { type.name }
    override final var anyModel: any Model { model }
    override final func activate() {
        // With the gate, so that who removes the state knows whether this has begun.
        tree.gate.withGate { if isActive { phase.store(.activating, ordering: .relaxed) } }
        guard phase.load(ordering: .relaxed) == .activating else { return }
        model.onActivate()
        tree.gate.withGate {
            phase.store(.activated, ordering: .relaxed)
            if !isActive { extras?.closeProperties() }
        }
    }
    override final func deactivate() { if phase.load(ordering: .relaxed) != .new { model.onDeactivate() } }

    // MARK: Reading

    /// Passes the present state to a closure, or the last one after the end, under the lock: the closure must not call
    /// user code.
    @inlinable
    final func look<Result>(_ body: (Place<M.State>) -> Result) -> Result {
        if tree.memory.isOverridden, let result = lookAtOverride(body) { return result }
        var result: Result?
        tree.storage.reading { root in
            if isActive { _ = reach(root) { result = body($0) } } else { result = last.map { $0.look(body) } }
        }
        if let result { return result }
        if tree.memory.isDrafting, let result = lookBehindDraft(body) { return result }
        return lookAtLost(body)
    }

    /// The first state, or the one at its place now, for a node whose state user code lists and does not find.
    @usableFromInline
    final func lookAtLost<Result>(_ body: (Place<M.State>) -> Result) -> Result {
        var (result, isLost): (Result?, Bool) = (nil, false)
        tree.gate.withGate {
            readingCommitted { root in
                (result, isLost) = (last.map { $0.look(body) }, isActive)
                if result != nil { return }
                tree.memory.readsByPlace = true
                _ = reach(root) { result = body($0) }
                tree.memory.readsByPlace = false
            }
        }
        guard let result else { preconditionFailure("A node has its state, or its last one.") }
        if isLost { report(.lostElement(of: name)) }
        return result
    }

    /// The state that is still there for others, in a transaction that has removed it.
    @usableFromInline
    final func lookBehindDraft<Result>(_ body: (Place<M.State>) -> Result) -> Result? {
        tree.gate.withGate {
            var result: Result?
            readingCommitted { root in _ = reach(root) { result = body($0) } }
            return result
        }
    }

    /// A property of the state that others see. Called with the gate.
    final func readCommitted<Value>(_ path: KeyPath<M.State, Value>) -> Value {
        guard tree.memory.isDrafting else { return read(path) }
        return lookBehindDraft { $0.value }.map { $0[keyPath: path] } ?? read(path)
    }

    /// Reads what others see, under the lock. Called with the gate.
    private final func readingCommitted(_ body: (RootPlace) -> Void) {
        let ignoredDraft = tree.memory.ignoresDraft
        tree.memory.ignoresDraft = true
        tree.storage.reading(body)
        tree.memory.ignoresDraft = ignoredDraft
    }

    /// A copy of the state.
    @inlinable final var state: M.State { look { $0.value } }

    /// A property of the state. A computed one is read from a copy, without the lock.
    @inlinable
    final func read<Value>(_ path: KeyPath<M.State, Value>) -> Value {
        if let offset = MemoryLayout<M.State>.offset(of: path) {
            return look { $0.stored(Value.self, at: offset).value }
        }
        return state[keyPath: path]
    }

    /// The same for a property whose place is known.
    @inlinable
    final func read<Value>(_ part: Projection<M.State, Value>) -> Value {
        if let offset = part.offset { return look { $0.stored(Value.self, at: offset).value } }
        return state[keyPath: part.path]
    }

    override final func copied(_ ground: Ground) -> StateBase? {
        var found: StateBase?
        _ = access.read(self, ground) { found = StateBase(node: self, copy: StateCopy($0.value)) }
        return found
    }

    override final func last(_ base: StateBase?) -> StateBase {
        if let base, let found = copied(.copy(base)) { return found }
        return StateBase(node: self, copy: StateCopy(state))
    }

    override final func keep(_ last: StateBase) -> AnyObject? {
        defer { self.last = unsafeDowncast(last.copy, to: StateCopy<M.State>.self) }
        return self.last
    }

    override final func exchange(_ copy: AnyObject, _ ground: Ground) -> WriteResult {
        access.change(self, ground) { swap(&$0, &unsafeDowncast(copy, to: StateCopy<M.State>.self).state) }
    }

    // MARK: Lifetimes

    /// Creates the slots for the children, from a copy of the state, and all nodes below.
    @inlinable
    final func populate(_ state: M.State, _ changes: inout TreeChanges) {
        changes.insert(self)
        // No other thread knows the node yet.
        slots = newSlots(state, &changes)
    }

    /// Creates the slots of children that it doesn't have yet.
    @inlinable
    final func newSlots(_ state: M.State, _ changes: inout TreeChanges) -> ContiguousArray<AnySlot> {
        var new: ContiguousArray<AnySlot> = []
        for (number, child) in type.children.enumerated().dropFirst(slots.count) {
            let slot = child.makeSlot()
            new.append(slot)
            child.compare(slot, number, self, state, &changes)
        }
        return new
    }

    /// Adds a child that its type does not declare, and reports that.
    final func declare(_ child: Child<M>) {
        tree.asLogic { declareAsLogic(child) }
        tree.flush()
    }

    private final func declareAsLogic(_ child: Child<M>) {
        tree.gate.withGate {
            let place = type.place(of: child.place.path, child.place.caseKey, child.place.modelType)
            guard place.map({ $0 >= slots.count }) ?? true, isActive else { return }
            report(.undeclaredChild(child.place.path.name, "\(child.place.modelType)", of: name))
            if place == nil { type.add(child) }
            // A child begins with a state that others see as well, not with that of a transaction.
            tree.memory.ignoresDraft = true
            tree.hasLateChildren = true
            var changes = TreeChanges()
            let new = newSlots(state, &changes)
            changes.add { [self] in slots += new }
            tree.make(changes)
            tree.memory.ignoresDraft = false
        }
    }

    /// A node that belongs to no store any more, with a state that it will always have.
    final func detached<Element: Model>(state: Element.State) -> Node<Element> {
        let node = Node<Element>(
            tree, nil, slot: 0, index: 0,
            .init(
                read: { _, _, _ in false }, change: { _, _, _ in .absent }, AccessRules { _, _, _ in }))
        (node.isActive, node.last) = (false, StateCopy(state))
        return node
    }

    override final func compare(_ bytes: Range<Int>?, _ changes: inout TreeChanges) {
        if !slots.isEmpty { compare(state, bytes, &changes) }
    }

    /// Compares the nodes below with a state that was written.
    ///
    /// - Parameter bytes: The written bytes; nil if they are not known.
    @inlinable
    final func compare(_ state: M.State, _ bytes: Range<Int>?, _ changes: inout TreeChanges) {
        for (number, (child, slot)) in zip(type.children, slots).enumerated() {
            if child.place.isTouched(by: bytes) { child.compare(slot, number, self, state, &changes) }
        }
    }
}

/// A node that has the identity of its state.
///
/// Unchecked like its superclass.
@usableFromInline
final class IdentifiedNode<M: Model, ID: Hashable>: Node<M>, @unchecked Sendable {
    @usableFromInline let id: ID

    @inlinable
    init(_ tree: Tree, _ parent: AnyNode?, slot: Int, index: Int, _ id: ID, _ access: Access) {
        self.id = id
        super.init(tree, parent, slot: slot, index: index, access)
    }
}

/// The common ground of all nodes of a model type in one store.
@usableFromInline
package final class ModelType<M: Model>: Sendable {
    /// The declared children, and behind them those that were used without being declared.
    @usableFromInline let known: Lock<[Child<M>]>
    @usableFromInline let name: String

    @inlinable
    init() { (known, name) = (Lock(M.children), String(describing: M.self)) }

    @inlinable var children: [Child<M>] { known.withLock { $0 } }

    /// Whether the nodes below a node can change during its lifetime.
    @inlinable var hasChangingChildren: Bool { children.contains { $0.place.isChanging } }

    @inlinable
    static func of(_ tree: Tree) -> ModelType {
        let key = ObjectIdentifier(M.self)
        return tree.gate.withGate {
            if let known = tree.types[key] { return unsafeDowncast(known, to: ModelType.self) }
            let type = ModelType()
            tree.types[key] = type
            return type
        }
    }

    /// The place of a child in the list; nil if it is not declared.
    func place(of path: PathPart, _ key: PartKey?, _ model: any Model.Type) -> Int? {
        children.firstIndex { child in
            child.place.path == path && child.place.caseKey == key && child.place.modelType == model
        }
    }

    func add(_ child: Child<M>) { known.withLock { $0.append(child) } }
}
