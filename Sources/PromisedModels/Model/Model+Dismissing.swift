internal import PromisedSystem

extension Model {
    /// Removes the model's own state, so that the model ends: its parent sets an optional or an enum to nil, or removes
    /// the element of a container. The store does so at the root.
    ///
    /// A model that its parent always has cannot be dismissed, which is reported.
    public func dismiss(file: StaticString = #fileID, line: UInt = #line) {
        let (node, origin) = (context.node, Origin(file, line))
        let isOutermost = node.tree.gate.acquire()
        defer { if isOutermost { node.tree.releaseGate() } }
        guard node.mayWrite else { return }
        if !node.access.rules.remove(node, origin) { node.report(.undismissable(node.name), at: origin) }
    }
}
