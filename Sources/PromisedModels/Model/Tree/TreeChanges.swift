internal import Promise

/// The changes of the tree that follow from a write: collected without the lock, then made under it, together with the
/// write itself.
@usableFromInline
struct TreeChanges {
    private(set) var removed: [AnyNode] = []
    private(set) var added: [AnyNode] = []
    /// The nodes that get other children.
    @usableFromInline var changed: [AnyNode] = []
    private var changes: [() -> Void] = []
    /// How many slots are being compared, one inside another, and those that are too deep for that.
    private var depth = 0
    private var deeper = Deque<(inout TreeChanges) -> Void>()
    /// In a transaction, the slots that were compared: several writes may lead to one.
    @usableFromInline var compared: Set<ObjectIdentifier>?

    /// - Parameter isOfSeveralWrites: Whether several writes are compared, which may be above and below each other.
    @usableFromInline
    init(isOfSeveralWrites: Bool = false) { compared = isOfSeveralWrites ? [] : nil }

    /// Whether a slot is to be compared now, and was not before.
    @inlinable
    mutating func begins(_ slot: AnySlot) -> Bool {
        compared?.insert(ObjectIdentifier(slot)).inserted ?? true
    }

    /// Compares a slot: now, or behind those that it is below, if they are many.
    @usableFromInline
    mutating func compare(_ slot: @escaping (inout TreeChanges) -> Void) {
        guard depth < AnyNode.levelsInPlace else { return deeper.append(slot) }
        depth += 1
        slot(&self)
        depth -= 1
        while depth == 0, let next = deeper.popFirst() { compare(next) }
    }

    @usableFromInline
    mutating func add(_ change: @escaping () -> Void) { changes.append(change) }

    /// Ends a node and all below it, children first.
    @usableFromInline
    mutating func remove(_ top: AnyNode) {
        var rest: [(node: AnyNode, above: Int?)] = [(top, nil)]
        var going: [(last: StateBase, inherited: [DependencyOverride])] = []
        // Parents first, so that each state is taken from that above.
        while let (node, above) = rest.popLast() {
            let place = going.count
            let inherited = above.map { going[$0].inherited + node.overrides } ?? node.inherited
            going.append((node.last(above.map { going[$0].last }), inherited))
            for slot in node.slots { for child in slot.children { rest.append((child, place)) } }
        }
        for (last, inherited) in going.reversed() {
            let node = last.node
            // The state that was kept before leaves the lock in the closure, and is released outside of it.
            var kept: AnyObject?
            changes.append {
                kept = node.keep(last)
                if !inherited.isEmpty { node.needed.dependencies = inherited }
                (node.isActive, node.above) = (false, nil)
                _ = kept
            }
            removed.append(node)
        }
    }

    @usableFromInline
    mutating func insert(_ node: AnyNode) { added.append(node) }

    /// Makes the changes. Called under the lock of the state.
    func apply() { for change in changes { change() } }
}

@available(*, unavailable)
extension TreeChanges: Sendable {}
