extension Exploration {
    /// The result as a page of HTML that needs no other file: what was covered, the counterexample step by step, the
    /// states, and the transitions between them. It follows the light or dark scheme of its reader.
    ///
    /// ```swift
    /// import Foundation
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
    /// }
    /// let page = FileManager.default.temporaryDirectory.appending(path: "numbers.html")
    /// try explorer.check(depth: 3).html(title: "Numbers").write(to: page, atomically: true, encoding: .utf8)
    /// ```
    ///
    /// - Parameters:
    ///   - title: The title of the page.
    ///   - diagram: The states by name; those of ``diagram(cases:name:)`` if nil.
    public func html(title: String = "Exploration", diagram: StateDiagram? = nil) -> String {
        let drawing = drawing()
        return ExplorationPage(
            exploration: self, title: title, diagram: diagram ?? drawing.diagram(cases: [], name: nil),
            causes: drawing.causes
        ).text
    }
}

extension Drawing {
    /// What has happened in the states that were shown: all events, and the outcomes and time that led on.
    var causes: [(kind: String, label: String)] {
        var causes = events.indices.map { (kind: "event", label: label(.event($0))) }
        for case let cause? in map.edges.map(\.cause) {
            let kind =
                switch cause {
                case .event: "event"
                case .answer: "outcome"
                case .action: "action"
                case .time: "time"
                }
            let label = label(cause)
            if !causes.contains(where: { $0 == (kind, label) }) { causes.append((kind, label)) }
        }
        return causes
    }
}
