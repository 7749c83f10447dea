/// States, or groups of them, and the transitions between them; the first node is the initial state.
package struct Graph: Sendable, Hashable {
    package struct Node: Sendable, Hashable {
        package let name: String
        /// Whether it is shown until a transition settles.
        package let isLoading: Bool

        package init(name: String, isLoading: Bool) { (self.name, self.isLoading) = (name, isLoading) }
    }

    package struct Edge: Sendable, Hashable {
        package let from: Int
        package let to: Int
        /// The causes.
        package var labels: [String]

        package init(from: Int, to: Int, labels: [String]) {
            (self.from, self.to, self.labels) = (from, to, labels)
        }
    }

    /// Whether its numbers and all its lines together cannot be read.
    package var isLarge: Bool { nodes.count > 20 || edges.count > 36 }

    package var nodes: [Node]
    package var edges: [Edge]

    package init(nodes: [Node] = [], edges: [Edge] = []) { (self.nodes, self.edges) = (nodes, edges) }
}
