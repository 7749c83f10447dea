internal import PromisedTesting

extension Exploration {
    /// Fails the test for properties that were never seen, or for every gap.
    func failForGaps(all: Bool, _ place: TestPlace) {
        let gaps = all ? gaps : unseen
        guard !gaps.isEmpty else { return }
        fail(
            """
            The exploration \(self.place.map { "from \($0) " } ?? "")\(all ? "is not complete" : "has not seen what it should"), \
            \(isVisitedCompletely ? "although every configuration was visited" : "to depth \(max(levels.count - 1, 0))"):

            \(gaps.map { "    \($0)" }.joined(separator: "\n"))
            """, place)
    }

    /// The states that must be reachable and were not seen.
    var unseen: [Gap] { gaps.filter { if case .neverSeen = $0 { true } else { false } } }

    /// Whether every path was visited, up to the depth.
    var isVisitedToDepth: Bool {
        gaps.allSatisfy { gap in
            switch gap {
            case .depth, .incomparable, .neverAtRest, .neverSeen, .neverTriggered: true
            case .stepLimit, .timeLimit, .memoryLimit, .violation, .outside, .bound, .events,
                .view:
                false
            }
        }
    }

    private var isVisitedCompletely: Bool { unseen.count == gaps.count }
}

extension Exploration {
    /// How the exploration has grown, and the parts that keep configurations apart.
    var growth: String {
        let counts = levels.map { "\($0.configurations)" }
        let shown = counts.count > 16 ? counts.prefix(8) + ["…"] + counts.suffix(7) : counts[...]
        let listed = parts.prefix(5).map { "\n    \($0)" }.joined()
        return "Configurations by their distance from the start: \(shown.joined(separator: ", "))."
            + (listed.isEmpty ? "" : "\n\nWhat keeps them apart:\n\(listed)")
    }
}
