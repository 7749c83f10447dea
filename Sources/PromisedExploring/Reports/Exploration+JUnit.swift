internal import PromisedReports

extension Exploration {
    /// The result in the XML format of JUnit, which most CI servers read: one test case, which fails where a check
    /// does: if a property was violated, a limit was reached, or a required state was not seen. The counts are
    /// its properties.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
    /// }
    /// print(explorer.explore(depth: 3).junit(suite: "Counter", name: "every order").split(separator: "\n")[1])
    /// // <testsuites tests="1" failures="0" errors="0" skipped="0">
    /// ```
    ///
    /// - Parameters:
    ///   - suite: The name of the suite.
    ///   - name: The name of the test case.
    public func junit(suite: String = "PromisedExploring", name: String = "exploration") -> String {
        let failure: (type: String, message: String, text: String)? =
            if let found = counterexample {
                (found.property, found.headline, counterexamples.map(\.description).joined(separator: "\n\n"))
            } else if let limit = statistics.limit {
                (limit.name, "\(limit.gap)", summary)
            } else if let first = unseen.first {
                ("never seen", "\(first)", unseen.map(\.description).joined(separator: "\n"))
            } else {
                nil
            }
        let counts = #"tests="1" failures="\#(failure == nil ? 0 : 1)" errors="0" skipped="0""#
        let body = failure.map { failure in
            """
                  <failure type="\(Markup.attribute(failure.type))" message="\(Markup.attribute(failure.message))">
            \(Markup.escaped(failure.text))</failure>

            """
        }
        let properties = figures.map { #"      <property name="\#($0.name)" value="\#($0.value)"/>"# }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites \(counts)>
              <testsuite name="\(Markup.attribute(suite))" \(counts)>
                <properties>
            \(properties.joined(separator: "\n"))
                </properties>
                <testcase classname="\(Markup.attribute(suite))" name="\(Markup.attribute(name))">
            \(body ?? "")      <system-out>\(Markup.escaped(summary))</system-out>
                </testcase>
              </testsuite>
            </testsuites>

            """
    }

    /// The counts by their names.
    var figures: [(name: String, value: Int)] {
        [
            ("configurations", configurations), ("transitions", transitions),
            ("inferred transitions", inferredTransitions), ("paths", paths), ("steps", steps),
            ("depth", max(levels.count - 1, 0)),
        ]
    }
}
