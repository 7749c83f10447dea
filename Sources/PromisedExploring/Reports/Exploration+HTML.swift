extension Exploration {
    /// The result as a page of HTML that needs no other file: the counterexamples step by step, the coverage, and
    /// the states and the transitions between them, as a graph if it is small. It follows the light or dark scheme of
    /// its reader.
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
    ///   - coverage: The coverage; if nil, ``coverage``, with the diagram's unreached cases.
    public func html(
        title: String = "Exploration", diagram: StateDiagram? = nil, coverage: Coverage? = nil
    ) -> String {
        ExplorationPage(
            exploration: self, title: title, diagram: diagram ?? self.diagram(),
            coverage: coverage ?? self.coverage(ofStates: diagram?.unreached ?? [], events: [])
        ).text
    }
}
