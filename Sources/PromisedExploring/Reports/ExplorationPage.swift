internal import PromisedReports

/// The page of an exploration.
struct ExplorationPage<State: Sendable, Event: Sendable> {
    let exploration: Exploration<State, Event>
    let title: String
    let diagram: StateDiagram
    let coverage: Coverage

    var text: String {
        Page(
            title: title, scripts: [GraphScript.part],
            content: """
                \(verdict)
                \(figures)
                \(counterexamples)
                <h2>Coverage</h2>
                \(coverageLists)
                \(levels)
                \(parts)
                <h2>States</h2>
                \(GraphPicture.text(of: diagram.graph))
                \(GraphTables(diagram.graph).states(unreached: diagram.unreached))
                <h2>Transitions</h2>
                \(GraphTables(diagram.graph).transitions)
                <details><summary>The diagram, for Mermaid</summary><pre>\(Markup.escaped(diagram.mermaid))</pre></details>
                """
        ).text
    }

    private var verdict: String {
        let depth = max(exploration.levels.count - 1, 0)
        let (kind, text) =
            if let found = exploration.counterexample {
                ("bad", found.headline)
            } else if exploration.isComplete {
                ("good", "Complete: every reachable configuration was visited, and no property is violated.")
            } else if exploration.isVisitedToDepth {
                ("open", "No property is violated on any path of up to \(depth) steps.")
            } else {
                ("open", "No property is violated in the part that was explored.")
            }
        let gaps = exploration.counterexample == nil ? exploration.gaps : []
        let place = exploration.place.map { "<p>From \(Markup.escaped($0)).</p>\n" } ?? ""
        return place + #"<p class="verdict \#(kind)">\#(Markup.escaped(text))</p>"# + "\n"
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

    // MARK: Counterexamples

    /// Each counterexample with its steps; a headline of its own where there are several.
    private var counterexamples: String {
        let found = exploration.counterexamples
        if found.isEmpty { return "" }
        if found.count == 1 { return "<h2>Counterexample</h2>\n\(found.map(path).joined())" }
        return "<h2>\(found.count) counterexamples</h2>\n"
            + found.map { "<h3>\(Markup.escaped($0.headline))</h3>\n\(path($0))" }.joined(separator: "\n")
    }

    private func path(_ found: Counterexample<State, Event>) -> String {
        let steps = found.trace.enumerated().map { number, entry in
            (number == found.cycle?.lowerBound ? #"<li class="cycle">"# : "<li>")
                + "<code>\(Markup.escaped(entry.step.description))</code>\(changes(entry))</li>"
        }
        let start = found.trace.first?.before.map { StateText($0).description }
        return """
            \(start.map { "<p>At the start: <code>\(Markup.escaped($0))</code></p>" } ?? "")
            <ol>\(steps.joined(separator: "\n"))</ol>
            \(found.fullState.map { "<pre>\(Markup.escaped($0))</pre>" }.joined())
            <p>The steps as a test:</p>
            <pre>\(Markup.escaped(found.script))</pre>
            """
    }

    private func changes(_ entry: TraceEntry<State, Event>) -> String {
        let lines = entry.reactions
        return lines.isEmpty
            ? #" <span class="dim">changes no shown state</span>"#
            : "<pre>\(Markup.escaped(lines.joined(separator: "\n")))</pre>"
    }
}
