/// Which states were shown behind which, and why: what an exploration has seen of a machine, to be drawn.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// enum Door: Hashable { case open, closed, locked }
/// enum Event: Hashable { case push, turn }
///
/// let explorer = Explorer<Door, Event>(events: [.push, .turn]) { world in
///     System(initialState: .open, scheduler: world.scheduler, reducer: Reducer { door, event in
///         switch (door, event) {
///         case (.open, .push): door = .closed
///         case (.closed, .push): door = .open
///         default: break
///         }
///     })
/// }
/// let diagram = explorer.explore(depth: 4).diagram(cases: ["open", "closed", "locked"])
/// print(diagram.unreached)
/// // ["locked"]
/// ```
public struct StateDiagram: Sendable, Hashable {
    /// A state, or several that are drawn as one.
    public struct Node: Sendable, Hashable {
        /// What stands in it.
        public let name: String
        /// What it is a case of.
        public let group: String
        /// Whether it only stands in for a state to come.
        public let isLoading: Bool
    }

    /// What leads from one to another.
    public struct Edge: Sendable, Hashable {
        /// Where it begins, by its place among the nodes.
        public let from: Int
        /// Where it ends.
        public let to: Int
        /// What has to happen, each in a few words; none where it follows at once.
        public internal(set) var labels: [String]
    }

    /// In the order in which they were found; the first is where everything begins.
    public internal(set) var nodes: [Node] = []
    /// In the order in which they were found.
    public internal(set) var edges: [Edge] = []
    /// Cases that were said to be there, and were not found.
    public internal(set) var unreached: [String] = []

    mutating func place(of node: Node) -> Int {
        if let place = nodes.firstIndex(of: node) { return place }
        nodes.append(node)
        return nodes.count - 1
    }

    mutating func add(_ label: String?, from: Int, to: Int) {
        let labels = label.map { [$0] } ?? []
        guard let place = edges.firstIndex(where: { ($0.from, $0.to) == (from, to) }) else {
            // A state that shows itself again, for no reason of its own, is no news.
            if from != to || label != nil { edges.append(Edge(from: from, to: to, labels: labels)) }
            return
        }
        for label in labels where !edges[place].labels.contains(label) { edges[place].labels.append(label) }
    }

    /// The nodes by what they are cases of, in the order in which they were found.
    var groups: [(name: String, nodes: [Int])] {
        var groups: [(name: String, nodes: [Int])] = []
        for (place, node) in nodes.enumerated() {
            if let group = groups.firstIndex(where: { $0.name == node.group }) {
                groups[group].nodes.append(place)
            } else {
                groups.append((node.group, [place]))
            }
        }
        return groups
    }

    /// What a name is made of: marks that join what is before them do not hide that, every way to end a line is one, and
    /// what cannot be seen is left out. A name of nothing has quotes.
    static func scalars(of name: String) -> [Unicode.Scalar] {
        let lines = name.isEmpty ? "\"\"" : name.replacing("\r\n", with: "\n")
        return lines.unicodeScalars.compactMap { scalar in
            if scalar == "\t" { return " " }
            if scalar.properties.generalCategory == .control { return scalar.isNewline ? "\n" : nil }
            return scalar.isNewline ? "\n" : scalar
        }
    }

    /// Whether a group is more than its nodes say themselves.
    func isDrawn(_ group: (name: String, nodes: [Int])) -> Bool {
        group.nodes.contains { nodes[$0].name != group.name }
    }
}

extension Unicode.Scalar {
    fileprivate var isNewline: Bool { Character(self).isNewline }
}

extension Exploration {
    /// Draws what was found.
    ///
    /// - Parameters:
    ///   - cases: The cases that the state has, to be told of those that were not found. A case goes by its name; one that
    ///     has no payload, in a type that describes itself, goes by what it prints.
    ///   - name: What a state is called in the diagram; states of one name are one. The name of its case unless given;
    ///     a state that is no enum is called as one would write it.
    public func diagram(cases: [String] = [], name: ((State) -> String)? = nil) -> StateDiagram {
        var diagram = StateDiagram()
        func node(_ showing: PathHistory.Showing) -> Int {
            let state = allStates[showing.state]
            let group = enumCase(of: state)
            let shown = name?(state) ?? group ?? SourceText(state).description
            return diagram.place(
                of: .init(
                    name: shown, group: group ?? shown, isLoading: showing.isLoading))
        }
        if let start = map.start { _ = node(start) }
        for edge in map.edges {
            let (from, to) = (node(edge.from), node(edge.to))
            diagram.add(edge.cause.map(label), from: from, to: to)
        }
        let found = Set(diagram.nodes.map(\.group))
        diagram.unreached = cases.filter { !found.contains($0) }
        return diagram
    }

    /// As one would write it, but an enum's case without the point before it; one that cannot be written so, by its name.
    private func eventText(_ event: Event) -> String {
        let text = SourceText(event).description
        guard let name = enumCase(of: event) else { return text }
        return text.hasPrefix(".") ? String(text.dropFirst()) : name
    }

    private func label(_ cause: Cause) -> String {
        switch cause {
        case .event(let event): eventText(events[event])
        case .answer(let answer): "\(answer.call) → \(answer.name())"
        case .time: "time"
        }
    }
}

/// The name of an enum's case; nil where the value is none.
private func enumCase(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return nil }
    return mirror.children.first?.label ?? "\(value)"
}
