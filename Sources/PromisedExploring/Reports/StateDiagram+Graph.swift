internal import PromisedReports

extension StateDiagram {
    /// What is drawn of it.
    var graph: Graph {
        Graph(
            nodes: nodes.map { .init(name: $0.name, isLoading: $0.isLoading) },
            edges: edges.map { .init(from: $0.from, to: $0.to, labels: $0.labels) })
    }
}
