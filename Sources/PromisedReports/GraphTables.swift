/// The tables of a graph's states and transitions, to which its picture links.
package struct GraphTables {
    private let graph: Graph
    private let prefix: String

    /// - Parameter prefix: The one of the links of the picture.
    package init(_ graph: Graph, prefix: String = "") { (self.graph, self.prefix) = (graph, prefix) }

    /// - Parameter unreached: The names of states that were not found.
    package func states(unreached: [String] = []) -> String {
        let reached = graph.nodes.indices.map { node in
            [
                link(node, isTarget: true), graph.nodes[node].isLoading ? "loading" : "settled",
                node == 0
                    ? "the start"
                    : graph.edges.first { $0.to == node && $0.from != node }.map { edge in
                        "\(link(edge.from)) \(labels(edge))"
                    } ?? "",
                "\(graph.edges.count { $0.from == node })",
            ]
        }
        let others = unreached.map { name in
            ["<code>\(Markup.escaped(name))</code>", #"<span class="bad">not reached</span>"#, "", ""]
        }
        return Page.table(["state", "kind", "first reached from", "ways on"], reached + others)
    }

    package var transitions: String {
        Page.table(
            ["no.", "from", "by", "to"],
            graph.edges.enumerated().map { number, edge in
                [
                    #"<span id="\#(prefix)t\#(number + 1)">\#(number + 1)</span>"#, link(edge.from),
                    labels(edge),
                    link(edge.to),
                ]
            })
    }

    private func link(_ node: Int, isTarget: Bool = false) -> String {
        let name = "<code>\(Markup.escaped(graph.nodes[node].name))</code>"
        if isTarget { return #"<span id="\#(prefix)s\#(node)">\#(name)</span>"# }
        return node < Page.most ? "<a href=\"#\(prefix)s\(node)\">\(name)</a>" : name
    }

    private func labels(_ edge: Graph.Edge) -> String {
        edge.labels.isEmpty
            ? "(follows)" : edge.labels.map { "<code>\(Markup.escaped($0))</code>" }.joined(separator: ", ")
    }
}

extension Page {
    /// The number of rows of a table or items of a list, after which the rest is counted.
    package static var most: Int { 500 }

    /// A table; the cells are HTML.
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() + "</tr>"
        }
        return "<div class=\"wide\"><table><thead>\(row(head, "th"))</thead><tbody>\n"
            + rows.prefix(most).map { row($0, "td") }.joined(separator: "\n")
            + "\n</tbody></table></div>\(rest(rows.count))"
    }

    /// The number of rows or items that are not shown.
    package static func rest(_ count: Int) -> String {
        count > most ? "<p>… and \(count - most) more.</p>" : ""
    }
}
