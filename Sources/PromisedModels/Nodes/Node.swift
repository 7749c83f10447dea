internal import PromisedSystem
public import Synchronization

public import Promise

/// A node with the state of one model.
@usableFromInline
package final class Node<M: Model>: AnyNode, @unchecked Sendable {
    /// The way to the state of a node, from the root. Called under the lock.
    @usableFromInline
    struct Access: Sendable {
        @usableFromInline typealias Read = @Sendable (AnyNode, (borrowing M.State) -> Void) -> Bool
        /// With whether the state is that of the node itself, whose identity is then checked.
        @usableFromInline typealias Change =
            @Sendable (AnyNode, _ isOwn: Bool, (inout M.State) -> Void) -> WriteResult
        @usableFromInline typealias IsSame = @Sendable (AnyNode, borrowing M.State) -> Bool

        /// Passes the state to the closure; false if the store has no such state any more.
        @usableFromInline let read: Read
        @usableFromInline let change: Change
        /// Whether a state has the identity of the node; nil if the identity is no part of the state.
        @usableFromInline let isSame: IsSame?
        /// Writes a state with another identity, by way of the parent.
        @usableFromInline let replace: @Sendable (AnyNode, M.State, Origin) -> Void

        @inlinable
        init(
            read: @escaping Read, change: @escaping Change, isSame: IsSame?,
            replace: @escaping @Sendable (AnyNode, M.State, Origin) -> Void
        ) {
            (self.read, self.change, self.isSame, self.replace) = (read, change, isSame, replace)
        }
    }

    @usableFromInline let type: ModelType<M>
    @usableFromInline let access: Access
    /// The last state, after the end. Changed under the lock.
    @exclusivity(unchecked) @usableFromInline var last: ValueBox<M.State>?

    @inlinable
    init(_ tree: Tree, _ parent: AnyNode?, slot: Int, index: Int, _ access: Access) {
        (type, self.access) = (ModelType.of(tree), access)
        super.init(tree, parent, slot: slot, index: index)
    }

    /// The model. It does not keep its store.
    @inlinable var model: M { M(context: ModelContext(node: self, lifetime: nil)) }

    @inlinable override var name: String { type.name }
    override var anyModel: any Model { model }
    override var eventType: ObjectIdentifier { ObjectIdentifier(M.Event.self) }
    override func activate() {
        guard isActiveNow else { return }
        isActivating.store(true, ordering: .relaxed)
        model.onActivate()
        isActivating.store(false, ordering: .relaxed)
    }
    override func deactivate() { model.onDeactivate() }

    /// Whether the state is still there.
    @usableFromInline var isActiveNow: Bool {
        var isActive = false
        tree.storage.reading { isActive = self.isActive }
        return isActive
    }

    // MARK: Slots

    override func slotText(_ slot: Int, _ index: Int) -> String {
        let name = type.children[slot].path.name
        return type.children[slot].isList ? "\(name)[\(index)]" : name
    }

    override func bytes(ofSlot slot: Int) -> Range<Int>? { type.children[slot].bytes }

    override func writesBelow(_ bytes: Range<Int>?) -> Bool {
        !slots.isEmpty && type.children.contains { $0.isTouched(by: bytes) }
    }

    // MARK: Reading

    /// Passes the present state to a closure, or the last one after the end, under the lock: the closure must not call
    /// user code.
    @inlinable
    func look<Result>(_ body: (borrowing M.State) -> Result) -> Result {
        var result: Result?
        tree.storage.reading {
            if isActive, access.read(self, { result = body($0) }) { return }
            if let last { result = last.look(body) }
        }
        if result == nil, tree.isDrafting.load(ordering: .relaxed) { result = lookBehindDraft(body) }
        guard let result else { preconditionFailure("A node has its state, or its last one.") }
        return result
    }

    /// The state that is still there for others, in a transaction that has removed it.
    @usableFromInline
    func lookBehindDraft<Result>(_ body: (borrowing M.State) -> Result) -> Result? {
        tree.gate.withGate {
            var result: Result?
            tree.ignoresDraft = true
            tree.storage.reading { _ = access.read(self) { result = body($0) } }
            tree.ignoresDraft = false
            return result
        }
    }

    /// A copy of the state.
    @inlinable var state: M.State { look { copy $0 } }

    /// A property of the state. A computed one is read from a copy, without the lock.
    @inlinable
    func read<Value>(_ path: KeyPath<M.State, Value>) -> Value {
        if MemoryLayout<M.State>.offset(of: path) != nil { return look { $0[keyPath: path] } }
        return state[keyPath: path]
    }

    override func keepLast() {
        let state = ValueBox(state)
        tree.storage.reading { last = state }
    }

    // MARK: Lifetimes

    /// Creates the slots for the children, from a copy of the state, and all nodes below.
    @inlinable
    func populate(_ state: M.State, _ changes: inout TreeChanges) {
        changes.insert(self)
        addSlots(state, &changes)
    }

    /// Creates the slots of declared children that it doesn't have yet.
    @inlinable
    func addSlots(_ state: M.State, _ changes: inout TreeChanges) {
        for (number, child) in type.children.enumerated().dropFirst(slots.count) {
            let slot = child.makeSlot()
            slots.append(slot)
            child.compare(slot, number, self, state, &changes)
        }
    }

    /// Adds a child that its type does not declare, and reports that.
    func declare(_ child: Child<M>) {
        tree.gate.withGate {
            let place = type.place(of: child.path, child.caseKey)
            guard place.map({ $0 >= slots.count }) ?? true, isActive else { return }
            report(.undeclaredChild(child.path.name, child.modelName, of: name))
            if place == nil { type.add(child) }
            var changes = TreeChanges()
            addSlots(state, &changes)
            tree.make(changes)
        }
        tree.flush()
    }

    /// A node that belongs to no store any more, with a state that it will always have.
    func detached<Element: Model>(state: Element.State) -> Node<Element> {
        let node = Node<Element>(
            tree, nil, slot: 0, index: 0,
            .init(
                read: { _, _ in false }, change: { _, _, _ in .absent }, isSame: nil, replace: { _, _, _ in })
        )
        (node.isActive, node.last) = (false, ValueBox(state))
        return node
    }

    override func compare(_ bytes: Range<Int>?, _ changes: inout TreeChanges) {
        if !slots.isEmpty { compare(state, bytes, &changes) }
    }

    /// Compares the nodes below with a state that was written.
    ///
    /// - Parameter bytes: What was written of it; nil if that is not known.
    @inlinable
    func compare(_ state: M.State, _ bytes: Range<Int>?, _ changes: inout TreeChanges) {
        for (number, child) in type.children.enumerated() where number < slots.count {
            if child.isTouched(by: bytes) { child.compare(slots[number], number, self, state, &changes) }
        }
    }
}

/// What all nodes of a model type in one store share.
@usableFromInline
package final class ModelType<M: Model>: Sendable {
    /// The declared children, and behind them those that were used without being declared.
    @usableFromInline let known: Lock<[Child<M>]>
    @usableFromInline let name: String

    @inlinable
    init() { (known, name) = (Lock(M.children), String(describing: M.self)) }

    @inlinable var children: [Child<M>] { known.withLock { $0 } }

    /// Whether what is below a node can change while the node lives.
    @inlinable var hasChangingChildren: Bool { children.contains { $0.isChanging } }

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
    func place(of path: PathPart, _ key: PartKey?) -> Int? {
        children.firstIndex { $0.path == path && $0.caseKey == key }
    }

    func add(_ child: Child<M>) { known.withLock { $0.append(child) } }
}
