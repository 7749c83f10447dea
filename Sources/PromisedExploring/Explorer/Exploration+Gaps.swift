internal import PromisedTesting

extension Exploration {
    /// Fails the test for properties that were never seen, or for every gap.
    func failForGaps(all: Bool, _ place: TestPlace) {
        let gaps = gaps.filter { if case .neverSeen = $0 { true } else { all } }
        guard !gaps.isEmpty else { return }
        fail(
            """
            The exploration \(all ? "is not complete" : "has not seen what it should"), \
            \(isVisitedCompletely ? "although every configuration was visited" : "to depth \(max(levels.count - 1, 0))"):

            \(gaps.map { "    \($0)" }.joined(separator: "\n"))
            """, place)
    }

    private var isVisitedCompletely: Bool {
        gaps.allSatisfy { if case .neverSeen = $0 { true } else { false } }
    }
}
