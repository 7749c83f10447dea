internal import Promise
internal import PromisedSystem

/// The nodes of one child declaration of a node.
@usableFromInline
package class AnySlot {
    /// The nodes, in the order of their states. Changed under the lock.
    @usableFromInline var children: [AnyNode] { [] }

    /// Whether a number belongs to the place of a node in it.
    var isList: Bool { false }

    init() {}

    /// Compares the nodes of the root with a draft that becomes the state.
    func compareWithDraft(_ tree: Tree, _ changes: inout TreeChanges) {}
}

@available(*, unavailable)
extension AnySlot: Sendable {}

/// A slot in a parent of a known type.
@usableFromInline
package class ChildSlot<Parent: Model>: AnySlot {
    /// Creates the nodes for a parent that is being created.
    func populate(_ parent: Node<Parent>, _ state: Parent.State, _ changes: inout TreeChanges) {}
    /// Compares the nodes with a state of the parent that was written.
    func compare(_ parent: Node<Parent>, _ state: Parent.State, _ changes: inout TreeChanges) {}
}

/// The nodes of the elements of a container, and their identities.
@usableFromInline
final class ElementNodes<Kind: ElementKind, Element: Model> where Kind.Element == Element.State {
    // Parallel arrays. Changed under the lock.
    @usableFromInline var ids: [Kind.ID] = []
    @usableFromInline var nodes: [Node<Element>] = []

    @usableFromInline
    init() {}

    /// Creates a node for an element that has appeared.
    private func insert(
        _ id: Kind.ID, at index: Int, _ kind: Kind, _ whole: Kind.Whole, _ owner: Owner,
        _ changes: inout TreeChanges
    ) -> Node<Element>? {
        guard let state = kind.element(id, at: index, in: whole) else {
            owner.node?.report(.lostElement(of: "\(Element.self)"))
            return nil
        }
        let node = Node<Element>(owner.tree, owner.node, slot: owner.slot, index: index, owner.access)
        node.populate(state, &changes)
        return node
    }

    /// What the nodes belong to.
    struct Owner {
        let tree: Tree
        let node: AnyNode?
        let slot: Int
        let access: Node<Element>.Access
    }

    /// Compares the nodes with the container: identities in order first, and by a table if they differ.
    func compare(_ kind: Kind, _ whole: Kind.Whole, _ owner: Owner, _ changes: inout TreeChanges) {
        var found = kind.ids(of: whole)
        if found == ids { return compareBelow(kind, whole, &changes) }
        if Set(found).count < found.count {
            var seen: Set<Kind.ID> = []
            var isDuplicate = false
            found = found.filter { id in
                let isNew = seen.insert(id).inserted
                if !isNew { isDuplicate = true }
                return isNew
            }
            if isDuplicate { owner.node?.report(.duplicateID(of: "\(Element.self)")) }
            if found == ids { return compareBelow(kind, whole, &changes) }
        }
        var known: [Kind.ID: Node<Element>] = [:]
        for (id, node) in zip(ids, nodes) { known[id] = node }
        var (kept, keptIDs): ([Node<Element>], [Kind.ID]) = ([], [])
        kept.reserveCapacity(found.count)
        keptIDs.reserveCapacity(found.count)
        for id in found {
            if let node = known.removeValue(forKey: id) {
                if node.type.hasChangingChildren, let state = kind.element(id, at: kept.count, in: whole) {
                    node.compare(state, nil, &changes)
                }
                kept.append(node)
            } else if let node = insert(id, at: kept.count, kind, whole, owner, &changes) {
                kept.append(node)
            } else {
                continue
            }
            keptIDs.append(id)
        }
        for (id, node) in zip(ids, nodes) where known[id] === node { changes.remove(node) }
        changes.add { [self, kept, keptIDs] in
            for index in kept.indices where kept[index].index != index { kept[index].index = index }
            (nodes, ids) = (kept, keptIDs)
        }
    }

    /// Compares what is below elements that have stayed.
    private func compareBelow(_ kind: Kind, _ whole: Kind.Whole, _ changes: inout TreeChanges) {
        guard let first = nodes.first, first.type.hasChangingChildren else { return }
        for (index, node) in nodes.enumerated() {
            if let state = kind.element(ids[index], at: index, in: whole) {
                node.compare(state, nil, &changes)
            }
        }
    }
}

@available(*, unavailable)
extension ElementNodes: Sendable {}

@available(*, unavailable)
extension ElementNodes.Owner: Sendable {}

/// The nodes of the elements of one property of a parent.
@usableFromInline
package final class Slot<Parent: Model, Kind: ElementKind, Element: Model>: ChildSlot<Parent>
where Kind.Element == Element.State {
    @usableFromInline let elements = ElementNodes<Kind, Element>()
    let number: Int
    let kind: Kind
    let part: @Sendable (Parent.State) -> Kind.Whole
    let access: Node<Element>.Access

    init(
        _ number: Int, _ kind: Kind, _ part: @escaping @Sendable (Parent.State) -> Kind.Whole,
        _ access: Node<Element>.Access
    ) {
        (self.number, self.kind, self.part, self.access) = (number, kind, part, access)
    }

    override var children: [AnyNode] { elements.nodes }
    override var isList: Bool { kind.isList }

    override func populate(_ parent: Node<Parent>, _ state: Parent.State, _ changes: inout TreeChanges) {
        compare(parent, state, &changes)
    }

    override func compare(_ parent: Node<Parent>, _ state: Parent.State, _ changes: inout TreeChanges) {
        elements.compare(
            kind, part(state), .init(tree: parent.tree, node: parent, slot: number, access: access), &changes)
    }
}

