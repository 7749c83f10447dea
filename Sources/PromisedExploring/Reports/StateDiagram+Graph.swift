internal import PromisedReports

extension StateDiagram {
    /// The parts that are drawn.
    var graph: Graph {
        Graph(
            nodes: nodes.map { .init(name: $0.name, isLoading: $0.isLoading) },
            edges: edges.map { .init(from: $0.from, to: $0.to, labels: $0.labels) })
    }
}
