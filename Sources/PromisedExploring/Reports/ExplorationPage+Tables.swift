internal import PromisedReports

extension ExplorationPage {
    var states: String {
        let reached = diagram.nodes.indices.map { node in
            [
                link(node, isTarget: true), diagram.nodes[node].isLoading ? "loading" : "settled",
                node == 0
                    ? "the start"
                    : diagram.edges.first { $0.to == node && $0.from != node }.map { edge in
                        "\(link(edge.from)) \(labels(edge))"
                    } ?? "",
                "\(diagram.edges.count { $0.from == node })",
            ]
        }
        let unreached = diagram.unreached.map { name in
            ["<code>\(Markup.escaped(name))</code>", #"<span class="bad">not reached</span>"#, "", ""]
        }
        return table(["state", "kind", "first reached from", "ways on"], reached + unreached)
    }

    var transitions: String {
        table(
            ["no.", "from", "by", "to"],
            diagram.edges.enumerated().map { number, edge in
                [
                    #"<span id="t\#(number + 1)">\#(number + 1)</span>"#, link(edge.from), labels(edge),
                    link(edge.to),
                ]
            })
    }

    private func link(_ node: Int, isTarget: Bool = false) -> String {
        let name = "<code>\(Markup.escaped(diagram.nodes[node].name))</code>"
        if isTarget { return #"<span id="s\#(node)">\#(name)</span>"# }
        return node < Self.most ? "<a href=\"#s\(node)\">\(name)</a>" : name
    }

    private func labels(_ edge: StateDiagram.Edge) -> String {
        edge.labels.isEmpty
            ? "(follows)" : edge.labels.map { "<code>\(Markup.escaped($0))</code>" }.joined(separator: ", ")
    }

    /// A table; the cells are HTML.
    func table(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() + "</tr>"
        }
        return "<div class=\"wide\"><table><thead>\(row(head, "th"))</thead><tbody>\n"
            + rows.prefix(Self.most).map { row($0, "td") }.joined(separator: "\n")
            + "\n</tbody></table></div>\(rest(rows.count))"
    }

    /// The number of rows or items that are not shown.
    func rest(_ count: Int) -> String {
        count > Self.most ? "<p>… and \(count - Self.most) more.</p>" : ""
    }
}
