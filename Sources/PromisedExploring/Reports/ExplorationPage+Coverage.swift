internal import PromisedReports

extension ExplorationPage {
    private static var kinds: [(kind: Coverage.Kind, name: String)] {
        [
            (.state, "States"), (.event, "Events"), (.transition, "Transitions"), (.outcome, "Outcomes"),
            (.feedback, "Feedbacks"),
        ]
    }

    /// A list for each kind, missing items first.
    var coverageLists: String {
        let lists = Self.kinds.map { kind, name in list(name, coverage.items.filter { $0.kind == kind }) }
        let hasCases = coverage.items.contains { $0.kind == .state }
        return lists.joined()
            + (hasCases
                ? "" : "<p>States are listed by case: this state is no enum, or cannot be compared.</p>")
    }

    private func list(_ name: String, _ items: [Coverage.Item]) -> String {
        if items.isEmpty { return "" }
        let missing = items.filter { $0.status != .covered }
        let covered = items.filter { $0.status == .covered }
        let shown = (missing + covered).prefix(Page.most).map(item).joined(separator: "\n")
        return """
            <h3>\(name): \(covered.count) of \(items.count) covered</h3>
            <ul class="items">
            \(shown)
            </ul>\(Page.rest(items.count))

            """
    }

    private func item(_ item: Coverage.Item) -> String {
        let kind =
            switch item.status {
            case .covered: "good"
            case .notCovered: "open"
            case .unreachable: "bad"
            }
        return "<li><code>\(Markup.escaped(item.name))</code> "
            + #"<span class="\#(kind)">\#(item.status.rawValue)</span></li>"#
    }

    /// The parts that keep configurations apart, where not all were visited.
    var parts: String {
        let parts = exploration.isComplete ? [] : exploration.parts.prefix(10)
        if parts.isEmpty { return "" }
        return "<h3>What keeps configurations apart</h3>\n"
            + Page.table(
                ["part", "values", "configurations"],
                parts.map { [Markup.escaped($0.name), "\($0.values)", "\($0.configurations)"] })
    }

    /// The configurations for each distance from the start.
    var levels: String {
        let largest = exploration.levels.map(\.configurations).max() ?? 1
        return "<h3>Distance from the start</h3>\n"
            + Page.table(
                ["distance", "configurations", "transitions", "share"],
                exploration.levels.enumerated().map { number, level in
                    [
                        "\(number)", "\(level.configurations)", "\(level.transitions)",
                        #"<meter aria-label="configurations" value="\#(level.configurations)" max="\#(max(largest, 1))"></meter>"#,
                    ]
                })
    }
}
