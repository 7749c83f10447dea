internal import Promise
public import Synchronization

/// The part of a node that does not depend on the type of its model.
///
/// A node stands for one lifetime of a piece of state: it is created with it, and ends with it. Models are values that
/// refer to their node. Unchecked because of the fields below: see ``Tree``.
@usableFromInline
package class AnyNode: @unchecked Sendable {
    @usableFromInline final let tree: Tree
    /// Counts the nodes of a store, in the order of their creation.
    @usableFromInline final let number: Int

    // MARK: Locked

    /// The node above it, which lives at least as long as this one is in the tree: not retained, as that would take
    /// longer than the access itself.
    @exclusivity(unchecked) @usableFromInline final var above: Unmanaged<AnyNode>?
    /// Which slot of the parent it is in, and where in the slot.
    @exclusivity(unchecked) @usableFromInline final var slot: Int
    @exclusivity(unchecked) @usableFromInline final var index: Int
    @exclusivity(unchecked) @usableFromInline final var slots: ContiguousArray<AnySlot> = []
    /// The number of nodes above it.
    @usableFromInline final let depth: Int

    @exclusivity(unchecked) @usableFromInline final var isActive = true
    /// Whether user code decides on its way to the state whether that exists: `last` then has a state to fall back on.
    @exclusivity(unchecked) @usableFromInline final var mayBeLost = false

    /// How far the hooks are. A state that is removed while `onActivate` is running is no misuse. Changed by the owner
    /// of the loop; others may see it too early or too late.
    @usableFromInline enum NodePhase: UInt8, AtomicRepresentable, Sendable { case new, activating, activated }
    let phase = Atomic(NodePhase.new)

    // MARK: Gated

    /// The seldom used fields; created when they are needed first.
    @exclusivity(unchecked) @usableFromInline final var extras: Extras?

    @usableFromInline
    init(_ tree: Tree, _ parent: AnyNode?, slot: Int, index: Int) {
        (self.tree, number) = (tree, tree.nextNumber())
        (above, self.slot, self.index) = (parent.map { .passUnretained($0) }, slot, index)
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    /// Releases the nodes below in a loop: the nodes of a chain would be released one inside another.
    deinit {
        var rest = slots
        slots = []
        while var slot = rest.popLast() {
            guard isKnownUniquelyReferenced(&slot) else { continue }
            var children = slot.children
            slot.children = []
            while var child = children.popLast() {
                guard !child.slots.isEmpty, isKnownUniquelyReferenced(&child) else { continue }
                rest += child.slots
                child.slots = []
            }
        }
    }

    /// The node above it; nil for one at the root, and after the end.
    @inlinable final var parent: AnyNode? { above?.takeUnretainedValue() }

    /// The name of the model's type, for reports.
    @usableFromInline var name: String { "" }
    /// The model, for code that does not know its type.
    var anyModel: any Model { preconditionFailure("Every node has a model.") }
    /// A copy of the state, taken from that of a node above, if there is one; nil if there is no such state.
    func copied(_ ground: Ground) -> StateBase? { nil }
    /// The same for a state that is about to go. In a transaction it is the one that others see.
    func last(_ base: StateBase?) -> StateBase { preconditionFailure("Every node has a state.") }
    /// Keeps the last state, and returns the one that was kept before. Called under the lock.
    func keep(_ last: StateBase) -> AnyObject? { nil }
    /// Exchanges the state and a ``StateCopy``; in a copy of a node above, if there is one.
    func exchange(_ copy: AnyObject, _ ground: Ground) -> WriteResult { .absent }
    /// Calls the model's hook.
    func activate() {}
    func deactivate() {}
    /// Compares the slots with the state.
    func compare(_ bytes: Range<Int>?, _ changes: inout TreeChanges) {}

    /// The record of a transaction whose first write, from above, was to this node.
    final var transactionChange: ModelChange { ModelChange(model: name, place: placeText, property: "") }

    final var needed: Extras {
        if let extras { return extras }
        let extras = Extras()
        self.extras = extras
        return extras
    }

    /// Whether the state is still there, for callers without the gate.
    @usableFromInline final var isActiveNow: Bool {
        var isActive = false
        tree.storage.reading { _ in isActive = self.isActive }
        return isActive
    }

    /// The node and those above it, from below.
    final var lineage: [AnyNode] {
        var nodes = [self]
        while let parent = nodes[nodes.count - 1].parent { nodes.append(parent) }
        return nodes
    }

    /// The identities of the node and of those above it.
    final var identityText: String {
        let names = lineage.reversed().map { node in
            let slot = node.parent?.slots[node.slot] ?? tree.root
            return "\(node.slot)[\(slot?.idText(node.index) ?? "")]"
        }
        return ((tree.guestNumber.map { ["guest \($0)"] } ?? []) + names).joined(separator: ".")
    }

    /// The nodes below it, parents before children.
    final var descendants: [AnyNode] {
        var found: [AnyNode] = []
        visitAll { found.append($0) }
        return Array(found.dropFirst())
    }

    /// Visits the node and those below it, parents before children.
    final func visitAll(_ body: (AnyNode) -> Void) {
        var rest = [self]
        while let node = rest.popLast() {
            body(node)
            if node.slots.isEmpty { continue }
            for slot in node.slots.reversed() { rest.append(contentsOf: slot.children.reversed()) }
        }
    }

    final func isBelow(_ other: AnyNode) -> Bool {
        var next = parent
        while let node = next {
            if node === other { return true }
            next = node.parent
        }
        return false
    }

    /// The dependencies that were overridden above, for the last hooks.
    final var inherited: [DependencyOverride] {
        tree.hasOverrides ? lineage.reversed().flatMap(\.overrides) : []
    }
    final var overrides: [DependencyOverride] { extras?.dependencies ?? [] }

    /// Ends everything that belongs to the node. Called with the gate, after the node was removed from the tree.
    final func end() {
        tree.observed[number] = nil
        if let extras { extras.end(self) }
        tree.enqueue { [self] in
            deactivate()
            // Kept until here, for the last hook.
            let properties = tree.gate.withGate {
                defer { extras?.properties = [:] }
                return extras?.properties ?? [:]
            }
            for property in properties.values { property.end() }
        }
    }

    /// Reports that others have written while a change in place was suspended. Called with the gate, before the change
    /// is written.
    final func noteSuspension() {
        if !tree.gate.isHeldAfterSuspension() { report(.suspendedWrite(of: name)) }
    }

    /// Reports a misuse once.
    @usableFromInline
    final func report(_ problem: ModelProblem, at origin: Origin = Origin(place: 0)) {
        if tree.gate.withGate({ needed.reported.insert(problem).inserted }) {
            tree.enqueueReport(problem, at: origin)
        }
    }
}

extension Tree {
    /// Reports a misuse at the root once.
    @usableFromInline
    func report(_ problem: ModelProblem, at origin: Origin = Origin(place: 0)) {
        if gate.withGate({ reported.insert(problem).inserted }) { enqueueReport(problem, at: origin) }
    }

    /// The handler is user code, and the caller may hold the gate.
    fileprivate func enqueueReport(_ problem: ModelProblem, at origin: Origin) {
        let report: @Sendable () -> Void = {
            PromiseDiagnostics.report(.init(problem: problem, origin: origin))
        }
        if isOver { return report() }
        enqueue(report)
        flush()
    }
}
