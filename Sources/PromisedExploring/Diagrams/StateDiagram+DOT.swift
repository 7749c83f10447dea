extension StateDiagram {
    /// The diagram in the DOT language of Graphviz; `dot -Tsvg` renders it.
    ///
    /// Loading states are dashed; unreached cases are gray.
    public var dot: String {
        var lines = [
            "digraph states {",
            "    node [shape=box, style=rounded, fontname=\"Helvetica\"]",
            "    edge [fontname=\"Helvetica\", fontsize=10]",
            "    start [shape=point, label=\"\"]",
        ]
        lines += groupedLines(of: dotNode) { number, name in
            ["    subgraph cluster_\(number) {", "        label=\(Self.quoted(name))"]
        }
        for (number, name) in unreached.enumerated() {
            lines.append("    u\(number) [label=\(Self.quoted(name)), color=gray, fontcolor=gray]")
        }
        if !nodes.isEmpty { lines.append("    start -> s0") }
        lines += edges.map { edge in
            let label =
                edge.labels.isEmpty ? "" : " [label=\(Self.quoted(edge.labels.joined(separator: "\n")))]"
            return "    s\(edge.from) -> s\(edge.to)\(label)"
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func dotNode(_ place: Int) -> String {
        let style = nodes[place].isLoading ? ", style=\"rounded,dashed\"" : ""
        return "s\(place) [label=\(Self.quoted(nodes[place].name))\(style)]"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = Self.scalars(of: text).map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
