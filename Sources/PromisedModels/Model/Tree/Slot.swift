internal import Promise
internal import PromisedSystem

/// The nodes of one child declaration of a node, in the order of their states. Changed under the lock.
///
/// Its operations are in the closures of ``Child``, and not in overridden methods: those of a generic class are
/// never specialized for its types.
@usableFromInline
package class AnySlot: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline final var children: [AnyNode] = []

    /// Where its nodes are in the state of their parent; nil at the root.
    @usableFromInline final let place: ChildPlace?

    @inlinable
    init(_ place: ChildPlace?) { self.place = place }

    /// The identity of a node, as a text that no other node of the slot has.
    func idText(_ index: Int) -> String { "" }
}

/// The nodes of a slot, with the identities of their states.
///
/// Unchecked like its superclass.
@usableFromInline
final class Slot<ID: Hashable>: AnySlot, @unchecked Sendable {
    /// Parallel to the nodes.
    @exclusivity(unchecked) @usableFromInline var ids: [ID] = []
    /// The order of the container that was compared last.
    @exclusivity(unchecked) @usableFromInline var order: IdentityOrder?
    /// The nodes by identity, once one was looked for.
    @exclusivity(unchecked) private var table: [ID: AnyNode]?

    /// The node of an identity. Called under the lock.
    @usableFromInline
    func node(of id: ID) -> AnyNode? {
        if table == nil { table = Dictionary(zip(ids, children)) { first, _ in first } }
        return table?[id]
    }

    /// Replaces nodes. Called under the lock.
    @usableFromInline
    func replace(_ old: Range<Int>, with nodes: [AnyNode], _ newIDs: [ID]) {
        if table != nil {
            for id in ids[old] { table?[id] = nil }
            for (id, node) in zip(newIDs, nodes) { table?[id] = node }
        }
        children.replaceSubrange(old, with: nodes)
        ids.replaceSubrange(old, with: newIDs)
        for index in old.lowerBound..<children.count where children[index].index != index {
            children[index].index = index
        }
    }

    override func idText(_ index: Int) -> String {
        let text = "\(ids[index])"
        let earlier = ids[..<index].count { "\($0)" == text }
        return earlier == 0 ? text : "\(text) #\(earlier)"
    }
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
        if changes.begins(slot) { changes.compare { [self] in collectNow(&$0) } }
    }

    @inlinable
    func collectNow(_ changes: inout TreeChanges) {
        let type = ModelType<Element>.of(tree)
        if let order = kind.order(of: whole) {
            if order === slot.order { return looksBelow(type) ? compareBelow(&changes) : () }
            changes.add { [slot] in slot.order = order }
        }
        var found = presentIDs
        if found == slot.ids { return looksBelow(type) ? compareBelow(&changes) : () }
        var difference = Difference(slot.ids, found)
        if difference.hasDuplicates(found) {
            var seen: Set<Kind.ID> = []
            found = found.filter { seen.insert($0).inserted }
            report(.duplicateID(of: type.name))
            if found == slot.ids { return compareBelow(&changes) }
            difference = Difference(slot.ids, found)
        }
        collect(found, difference, looksBelow(type), &changes)
    }

    /// The identities of the elements, without those that a container lists but has no element for, which is reported.
    @inlinable var presentIDs: [Kind.ID] {
        let ids = kind.ids(of: whole)
        guard access.rules.mayLoseState, kind.isList, kind.mayLoseElements else { return ids }
        let present = ids.enumerated().filter { kind.element($1, at: $0, in: whole) != nil }.map {
            $0.element
        }
        if present.count < ids.count { report(.lostElement(of: "\(Element.self)")) }
        return present
    }

    @inlinable
    func looksBelow(_ type: ModelType<Element>) -> Bool { type.hasChangingChildren || tree.hasLateChildren }

    @usableFromInline
    func report(_ problem: ModelProblem) {
        if let parent { parent.report(problem) } else { tree.report(problem) }
    }

    @inlinable
    func collect(
        _ found: [Kind.ID], _ difference: Difference, _ looksBelow: Bool, _ changes: inout TreeChanges
    ) {
        let (ids, nodes) = (slot.ids, slot.children)
        var known: [Kind.ID: Int] = [:]
        for old in difference.old { known[ids[old]] = old }
        if looksBelow {
            for index in 0..<difference.start { compare(nodes[index], ids[index], at: index, &changes) }
        }
        var (middle, middleIDs): ([AnyNode], [Kind.ID]) = ([], [])
        for id in found[difference.new] {
            let index = difference.start + middle.count
            if let old = known.removeValue(forKey: id) {
                if looksBelow { compare(nodes[old], id, at: index, &changes) }
                middle.append(nodes[old])
            } else if let new = insert(id, at: index, &changes) {
                middle.append(new)
            } else {
                continue
            }
            middleIDs.append(id)
        }
        if looksBelow {
            for old in difference.old.upperBound..<ids.count {
                compare(nodes[old], ids[old], at: old - difference.old.count + middle.count, &changes)
            }
        }
        for old in known.values.sorted() { changes.remove(nodes[old]) }
        if let parent { changes.changed.append(parent) }
        changes.add { [slot, middle, middleIDs, old = difference.old] in
            slot.replace(old, with: middle, middleIDs)
        }
    }

    /// Creates a node for an element that has appeared.
    @inlinable
    func insert(_ id: Kind.ID, at index: Int, _ changes: inout TreeChanges) -> AnyNode? {
        guard let state = kind.element(id, at: index, in: whole) else {
            report(.lostElement(of: "\(Element.self)"))
            return nil
        }
        let node = IdentifiedNode<Element, Kind.ID>(
            tree, parent, slot: number, index: index, id, access)
        node.mayBeLost = access.rules.mayLoseState || parent?.mayBeLost ?? false
        if node.mayBeLost { node.last = StateCopy(state) }
        node.populate(state, &changes)
        return node
    }

    /// Compares the nodes below remaining elements.
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

/// Where two lists of identities differ. An identity at the same place from either end needs no table.
@usableFromInline
struct Difference: Sendable {
    @usableFromInline let old: Range<Int>
    @usableFromInline let new: Range<Int>
    @inlinable var start: Int { old.lowerBound }

    @inlinable
    init<ID: Hashable>(_ ids: [ID], _ found: [ID]) {
        let shortest = min(ids.count, found.count)
        var (start, end) = (0, 0)
        while start < shortest, ids[start] == found[start] { start += 1 }
        while end < shortest - start, ids[ids.count - 1 - end] == found[found.count - 1 - end] { end += 1 }
        (old, new) = (start..<ids.count - end, start..<found.count - end)
    }

    /// Whether the new list has an identity twice; the old one has not.
    @inlinable
    func hasDuplicates<ID: Hashable>(_ found: [ID]) -> Bool {
        // A few are compared with all faster than all are entered into a table.
        guard new.count <= 8 else { return Set(found).count < found.count }
        return new.contains { index in
            found[..<index].contains(found[index]) || found[new.upperBound...].contains(found[index])
        }
    }
}
