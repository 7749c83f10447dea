extension StateDiagram {
    /// The diagram in the language of Mermaid, which many source code hosts render in Markdown.
    ///
    /// Loading states are dashed; unreached cases are gray.
    public var mermaid: String {
        var lines = [
            "stateDiagram-v2",
            "    classDef loading stroke-dasharray: 5 5",
            "    classDef unreached fill:#eee,stroke:#bbb,color:#999",
        ]
        lines += groupedLines {
            "state \"\(Self.escaped(nodes[$0].name))\" as s\($0)"
        } head: { number, name in
            ["    state \"\(Self.escaped(name))\" as g\(number) {"]
        }
        for (number, name) in unreached.enumerated() {
            lines.append("    state \"\(Self.escaped(name))\" as u\(number)")
        }
        if !nodes.isEmpty { lines.append("    [*] --> s0") }
        lines += edges.map { edge in
            let label = edge.labels.isEmpty ? "" : ": " + Self.escaped(edge.labels.joined(separator: ", "))
            return "    s\(edge.from) --> s\(edge.to)\(label)"
        }
        let loading = nodes.indices.filter { nodes[$0].isLoading }.map { "s\($0)" }
        if !loading.isEmpty { lines.append("    class \(loading.joined(separator: ",")) loading") }
        let gray = unreached.indices.map { "u\($0)" }
        if !gray.isEmpty { lines.append("    class \(gray.joined(separator: ",")) unreached") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Characters with a meaning in Mermaid are replaced by their character codes.
    private static func escaped(_ text: String) -> String {
        scalars(of: text).map { scalar in
            switch scalar {
            case "#": "#35;"
            case ";": "#59;"
            case "\"": "#34;"
            case ":": "#58;"
            case "<": "#60;"
            case ">": "#62;"
            case "{": "#123;"
            case "}": "#125;"
            case "\n": " "
            default: String(scalar)
            }
        }
        .joined()
    }
}
