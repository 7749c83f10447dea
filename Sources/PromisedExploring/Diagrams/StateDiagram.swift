/// A diagram of the states that an exploration has seen: which was shown after which, and why.
///
/// ```swift
/// import PromisedExploring
/// import PromisedSystem
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
    /// A state, or several that share a name.
    public struct Node: Sendable, Hashable {
        /// The text of the node.
        public let name: String
        /// The name of the enum case, which groups nodes; equal to `name` where the state is no enum.
        public let group: String
        /// Whether it is a loading state, shown until a transition settles.
        public let isLoading: Bool
    }

    /// A transition from one node to another.
    public struct Edge: Sendable, Hashable {
        /// The index of the node before.
        public let from: Int
        /// The index of the node after.
        public let to: Int
        /// The causes, as events, outcomes of calls or `time`; empty where the second state follows without a further
        /// step.
        public internal(set) var labels: [String]
    }

    /// The nodes in the order in which they were found; the first one is the initial state.
    public internal(set) var nodes: [Node] = []
    /// The edges in the order in which they were found.
    public internal(set) var edges: [Edge] = []
    /// The cases passed to ``Exploration/diagram(cases:name:)`` that were not found.
    public internal(set) var unreached: [String] = []

    mutating func place(of node: Node) -> Int {
        if let place = nodes.firstIndex(of: node) { return place }
        nodes.append(node)
        return nodes.count - 1
    }

    mutating func add(_ label: String?, from: Int, to: Int) {
        let labels = label.map { [$0] } ?? []
        guard let place = edges.firstIndex(where: { ($0.from, $0.to) == (from, to) }) else {
            // A state that is shown again without a cause adds nothing.
            if from != to || label != nil { edges.append(Edge(from: from, to: to, labels: labels)) }
            return
        }
        for label in labels where !edges[place].labels.contains(label) { edges[place].labels.append(label) }
    }

    /// The indices of the nodes by group, in the order in which the groups were found.
    private var groups: [(name: String, nodes: [Int])] {
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

    /// A name as separate scalars, so that combining marks cannot hide the character before them. Every line ending
    /// becomes `\n`, a tab becomes a space, other control characters are removed, and an empty name becomes two quotes.
    static func scalars(of name: String) -> [Unicode.Scalar] {
        let lines = name.isEmpty ? "\"\"" : name.replacing("\r\n", with: "\n")
        return lines.unicodeScalars.compactMap { scalar in
            if scalar == "\t" { return " " }
            if scalar.properties.generalCategory == .control { return scalar.isNewline ? "\n" : nil }
            return scalar.isNewline ? "\n" : scalar
        }
    }

    /// The lines of the nodes. A group is drawn around its nodes, between a head and a brace, where the name of one
    /// differs from that of the group.
    ///
    /// - Parameters:
    ///   - node: Returns the line of a node by its index.
    ///   - head: Returns the lines before a group, by its number and name.
    func groupedLines(of node: (Int) -> String, head: (Int, String) -> [String]) -> [String] {
        groups.enumerated().flatMap { number, group in
            let lines = group.nodes.map { "    " + node($0) }
            guard group.nodes.contains(where: { nodes[$0].name != group.name }) else { return lines }
            return head(number, group.name) + lines.map { "    " + $0 } + ["    }"]
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isNewline: Bool { Character(self).isNewline }
}

extension Exploration {
    /// Creates a diagram of the states that were found. The first diagram explores again, as the transitions are not
    /// kept while exploring; later ones, ``coverage`` and ``html(title:diagram:coverage:)`` use the same result.
    ///
    /// - Parameters:
    ///   - cases: The names of the enum's cases; those that were not found become ``StateDiagram/unreached``. A case
    ///     without a payload, in a type with a custom description, is named by that description.
    ///   - name: Returns the name of a state. States with the same name share a node, if they are of the same enum
    ///     case, and all are settled or all are loading. By default, the name of the enum case, the properties of a
    ///     struct in which the states differ, or the source text of any other state.
    public func diagram(cases: [String] = [], name: ((State) -> String)? = nil) -> StateDiagram {
        drawing.value.diagram(cases: cases, name: name)
    }
}

extension DiagramSource {
    func diagram(cases: [String], name: ((State) -> String)?) -> StateDiagram {
        var diagram = StateDiagram()
        var names = StateNames(states)
        func node(_ showing: PathRecord.Showing) -> Int {
            let state = states[showing.state]
            let group = enumCase(of: state)
            let shown = name?(state) ?? group ?? names.name(of: state, number: showing.state)
            return diagram.place(
                of: .init(
                    name: shown, group: group ?? shown, isLoading: showing.isLoading))
        }
        if let start { _ = node(start) }
        for edge in map.edges {
            let (from, to) = (node(edge.from), node(edge.to))
            diagram.add(edge.cause.map(label), from: from, to: to)
        }
        let found = Set(diagram.nodes.map(\.group))
        diagram.unreached = cases.filter { !found.contains($0) }
        return diagram
    }

    /// The event as source text, without the leading dot of an enum case; the name of the case where it has no source
    /// text.
    private func eventText(_ event: Event) -> String {
        let text = SourceText(event).description
        guard let name = enumCase(of: event) else { return text }
        return text.hasPrefix(".") ? String(text.dropFirst()) : name
    }

    func label(_ cause: TransitionCause) -> String {
        switch cause {
        case .event(let event): eventText(events[event])
        case .answer(let answer): "\(answer.call) → \(answer.name())"
        case .action(let index): actions[index]
        case .time: "time"
        }
    }
}
