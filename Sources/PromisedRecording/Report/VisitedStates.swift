internal import PromisedReports

/// The states that a system has shown, by name: a case of an enum by its name, a structure by those of its members that
/// have few values.
struct VisitedStates {
    /// The possible parts of a state's name, by member.
    private struct Seen: Hashable {
        let parts: [String: String], isLoading: Bool
    }

    private struct Step: Hashable {
        let from: Int, to: Int
    }

    private var seen: [Seen] = []
    private var numbers: [Seen: Int] = [:]
    private var steps: [Step: Set<String>] = [:]
    private var last: Int?

    /// Further states are not added.
    private static let maximumStates = 2_000
    private static let maximumMembers = 50
    private static let maximumLabels = 5

    /// - Parameter cause: The name of the event.
    mutating func add(_ state: RecordedState?, isLoading: Bool, cause: String) {
        let state = Seen(parts: Self.parts(of: state), isLoading: isLoading)
        if numbers[state] == nil, !state.parts.isEmpty, seen.count < Self.maximumStates {
            numbers[state] = seen.count
            seen.append(state)
        }
        guard let number = numbers[state] else { return last = nil }
        if let last, last != number, steps[Step(from: last, to: number)]?.count ?? 0 < Self.maximumLabels {
            steps[Step(from: last, to: number), default: []].insert(cause)
        }
        last = number
    }

    private static func parts(of state: RecordedState?) -> [String: String] {
        switch state {
        case .text(let text): return ["": String(text.prefix { $0 != "(" }.prefix(40))]
        case .value(let value):
            if let text = name(of: value) { return ["": text] }
            return (value.object ?? []).prefix(maximumMembers).reduce(into: [:]) {
                $0[$1.key] = name(of: $1.value)
            }
        default: return [:]
        }
    }

    private static func name(of value: JSONValue) -> String? {
        switch value {
        case .null: "nil"
        case .bool(let bool): "\(bool)"
        case .string(let text): text.utf8.count <= 32 ? text : nil
        default: value.enumCase?.name
        }
    }

    /// The states as a graph that can be read: members with the most values are left out of the names until it can.
    var graph: Graph {
        func count(_ key: String) -> Int { Set(seen.map { $0.parts[key] }).count }
        var kept = Set(seen.flatMap(\.parts.keys)).map { (key: $0, count: count($0)) }.filter {
            $0.count > 1 || $0.key.isEmpty
        }
        .sorted { ($0.count, $0.key) < ($1.count, $1.key) }
        while true {
            let graph = graph(naming: kept.map(\.key).sorted())
            if !graph.isLarge || kept.count < 2 { return graph }
            kept.removeLast()
        }
    }

    private func graph(naming kept: [String]) -> Graph {
        var (graph, places, edges): (Graph, [Graph.Node: Int], [Step: Set<String>]) = (Graph(), [:], [:])
        let nodes = seen.map { state in
            let names = kept.compactMap { key in state.parts[key].map { key.isEmpty ? $0 : "\(key): \($0)" } }
            let name = names.isEmpty ? "state" : names.joined(separator: ", ")
            let node = Graph.Node(name: name, isLoading: state.isLoading)
            if places[node] == nil {
                places[node] = graph.nodes.count
                graph.nodes.append(node)
            }
            return places[node] ?? 0
        }
        for (step, labels) in steps where nodes[step.from] != nodes[step.to] {
            edges[Step(from: nodes[step.from], to: nodes[step.to]), default: []].formUnion(labels)
        }
        graph.edges = edges.sorted { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) }
            .map { .init(from: $0.key.from, to: $0.key.to, labels: $0.value.sorted()) }
        return graph
    }
}
