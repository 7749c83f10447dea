internal import Promise
internal import PromisedSystem

/// The nodes of one child declaration of a node, in the order of their states. Changed under the lock.
///
/// What is done with it is in the closures of ``Child``, and not in overridden methods: those of a generic class are
/// never specialized for its types.
@usableFromInline
package class AnySlot: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline final var children: [AnyNode] = []

    @inlinable
    init() {}
}

/// The nodes of a slot, with the identities of their states.
///
/// Unchecked like its superclass.
@usableFromInline
final class Slot<ID: Hashable>: AnySlot, @unchecked Sendable {
    /// Parallel to the nodes.
    @exclusivity(unchecked) @usableFromInline var ids: [ID] = []

    @inlinable
    override init() { super.init() }
}

/// Compares the nodes of a slot with a container that is written.
@usableFromInline
struct SlotComparison<Kind: ElementKind, Element: Model> where Kind.Element == Element.State {
    @usableFromInline let slot: Slot<Kind.ID>
    @usableFromInline let kind: Kind
    @usableFromInline let whole: Kind.Whole
    @usableFromInline let tree: Tree
    @usableFromInline let parent: AnyNode?
    @usableFromInline let number: Int
    @usableFromInline let access: Node<Element>.Access

    @inlinable
    init(
        _ slot: Slot<Kind.ID>, _ kind: Kind, _ whole: Kind.Whole, _ tree: Tree, _ parent: AnyNode?,
        number: Int, _ access: Node<Element>.Access
    ) {
        (self.slot, self.kind, self.whole, self.tree) = (slot, kind, whole, tree)
        (self.parent, self.number, self.access) = (parent, number, access)
    }

    /// Collects the changes: identities are compared in order first, and by a table if they differ.
    @inlinable
    func collect(_ changes: inout TreeChanges) {
        guard changes.begins(slot) else { return }
        let type = ModelType<Element>.of(tree)
        var found = kind.ids(of: whole)
        if found == slot.ids { return looksBelow(type) ? compareBelow(&changes) : () }
        if Set(found).count < found.count {
            var seen: Set<Kind.ID> = []
            found = found.filter { seen.insert($0).inserted }
            report(.duplicateID(of: type.name))
            if found == slot.ids { return compareBelow(&changes) }
        }
        collect(found, type, &changes)
    }

    @inlinable
    func looksBelow(_ type: ModelType<Element>) -> Bool { type.hasChangingChildren || tree.hasLateChildren }

    @usableFromInline
    func report(_ problem: ModelProblem) {
        if let parent { parent.report(problem) } else { tree.report(problem) }
    }

    @inlinable
    func collect(_ found: [Kind.ID], _ type: ModelType<Element>, _ changes: inout TreeChanges) {
        let (ids, nodes, looksBelow) = (slot.ids, slot.children, looksBelow(type))
        var known: [Kind.ID: Int] = [:]
        // What is at the same place from either end needs no table.
        var start = 0
        while start < min(ids.count, found.count), ids[start] == found[start] { start += 1 }
        var end = 0
        while end < min(ids.count, found.count) - start,
            ids[ids.count - 1 - end] == found[found.count - 1 - end]
        {
            end += 1
        }
        for place in start..<ids.count - end { known[ids[place]] = place }
        var (kept, keptIDs): ([AnyNode], [Kind.ID]) = ([], [])
        kept.reserveCapacity(found.count)
        keptIDs.reserveCapacity(found.count)
        for (place, id) in found.enumerated() {
            let node: AnyNode?
            if place < start {
                node = nodes[place]
            } else if place >= found.count - end {
                node = nodes[place - found.count + ids.count]
            } else if let before = known.removeValue(forKey: id) {
                node = nodes[before]
            } else {
                node = nil
            }
            if let node {
                if looksBelow { compare(node, id, at: kept.count, &changes) }
                kept.append(node)
            } else if let new = insert(id, at: kept.count, &changes) {
                kept.append(new)
            } else {
                continue
            }
            keptIDs.append(id)
        }
        for place in known.values.sorted() { changes.remove(nodes[place]) }
        let slot = slot
        changes.add { [kept, keptIDs] in
            for place in kept.indices where kept[place].index != place { kept[place].index = place }
            (slot.children, slot.ids) = (kept, keptIDs)
        }
    }

    /// Creates a node for an element that has appeared.
    @inlinable
    func insert(_ id: Kind.ID, at index: Int, _ changes: inout TreeChanges) -> AnyNode? {
        guard let state = kind.element(id, at: index, in: whole) else {
            report(.lostElement(of: "\(Element.self)"))
            return nil
        }
        let node = Node<Element>(tree, parent, slot: number, index: index, access)
        node.mayBeLost = access.mayLoseState || parent?.mayBeLost ?? false
        if node.mayBeLost { node.last = ValueBox(state) }
        node.populate(state, &changes)
        return node
    }

    /// Compares what is below elements that have stayed.
    @inlinable
    func compareBelow(_ changes: inout TreeChanges) {
        for (index, node) in slot.children.enumerated() {
            compare(node, slot.ids[index], at: index, &changes)
        }
    }

    @inlinable
    func compare(_ node: AnyNode, _ id: Kind.ID, at index: Int, _ changes: inout TreeChanges) {
        guard let state = kind.element(id, at: index, in: whole) else { return }
        unsafeDowncast(node, to: Node<Element>.self).compare(state, nil, &changes)
    }
}

@available(*, unavailable)
extension SlotComparison: Sendable {}
