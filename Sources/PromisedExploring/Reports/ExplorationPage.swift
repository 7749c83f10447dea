/// The page of an exploration.
struct ExplorationPage<State: Sendable, Event: Sendable> {
    let exploration: Exploration<State, Event>
    let title: String
    let diagram: StateDiagram
    let causes: [(kind: String, label: String)]

    /// The number of rows of a table, after which the rest is counted.
    private static var most: Int { 500 }

    var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Markup.escaped(title))</title>
        <style>
        \(PageStyle.text)
        </style>
        </head>
        <body>
        <main>
        <h1>\(Markup.escaped(title))</h1>
        \(verdict)
        \(figures)
        \(story)
        <h2>Coverage</h2>
        \(levels)
        \(causeTable)
        <h2>States</h2>
        \(states)
        <h2>Transitions</h2>
        \(transitions)
        <details><summary>The diagram, for Mermaid</summary><pre>\(Markup.escaped(diagram.mermaid))</pre></details>
        </main>
        </body>
        </html>

        """
    }

    // MARK: Result

    private var verdict: String {
        let depth = max(exploration.levels.count - 1, 0)
        let (kind, text) =
            if let found = exploration.counterexample {
                ("bad", found.headline)
            } else if exploration.isComplete {
                ("good", "Complete: every reachable configuration was visited, and no property is violated.")
            } else {
                ("open", "No property is violated on any path of up to \(depth) steps.")
            }
        let gaps = exploration.counterexample == nil ? exploration.gaps : []
        return #"<p class="verdict \#(kind)">\#(Markup.escaped(text))</p>"# + "\n"
            + (gaps.isEmpty
                ? ""
                : "<p>What is missing:</p>\n<ul>"
                    + gaps.map { "<li>\(Markup.escaped($0.description))</li>" }.joined()
                    + "</ul>")
    }

    private var figures: String {
        "<dl>"
            + exploration.figures.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" }.joined()
            + "</dl>"
    }

    private var story: String {
        guard let found = exploration.counterexample else { return "" }
        let steps = found.trace.map { entry in
            "<li><code>\(Markup.escaped(entry.step.description))</code>"
                + (entry.reactions.isEmpty
                    ? "" : "<pre>\(Markup.escaped(entry.reactions.joined(separator: "\n")))</pre>") + "</li>"
        }
        return """
            <h2>Counterexample</h2>
            <ol>\(steps.joined(separator: "\n"))</ol>
            \(found.fullState.map { "<pre>\(Markup.escaped($0))</pre>" }.joined())
            <p>The steps as a test:</p>
            <pre>\(Markup.escaped(found.script))</pre>
            """
    }

    // MARK: Tables

    private var levels: String {
        let largest = exploration.levels.map(\.configurations).max() ?? 1
        return table(
            ["distance", "configurations", "transitions", "share"],
            exploration.levels.enumerated().map { number, level in
                [
                    "\(number)", "\(level.configurations)", "\(level.transitions)",
                    #"<meter aria-label="configurations" value="\#(level.configurations)" max="\#(max(largest, 1))"></meter>"#,
                ]
            })
    }

    private var causeTable: String {
        table(
            ["cause", "kind", "transitions"],
            causes.map { cause in
                let count = diagram.edges.count { $0.labels.contains(cause.label) }
                return [
                    "<code>\(Markup.escaped(cause.label))</code>", cause.kind,
                    count == 0 ? #"<span class="open">changes no shown state</span>"# : "\(count)",
                ]
            })
    }

    private var states: String {
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

    private var transitions: String {
        table(
            ["from", "by", "to"], diagram.edges.map { [link($0.from), labels($0), link($0.to)] })
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
    private func table(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() + "</tr>"
        }
        let rest = rows.count > Self.most ? "<p>… and \(rows.count - Self.most) more.</p>" : ""
        return "<div class=\"wide\"><table><thead>\(row(head, "th"))</thead><tbody>\n"
            + rows.prefix(Self.most).map { row($0, "td") }.joined(separator: "\n")
            + "\n</tbody></table></div>\(rest)"
    }
}
