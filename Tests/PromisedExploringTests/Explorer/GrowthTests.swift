import PromisedExploring
import PromisedSystem
import Testing

/// What the report of an exploration says that does not end.
@Suite struct GrowthTests {
    private struct Page: Hashable { var isOpen = false, visits = 0 }

    private static let counting = Explorer<Page, String>(events: ["open", "close"]) { world in
        System(
            initialState: Page(), scheduler: world.scheduler,
            reducer: Reducer { page, event in
                (page.isOpen, page.visits) = (event == "open", page.visits + 1)
            })
    }

    @Test("the parts that keep configurations apart, those with the most values first")
    func parts() {
        let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
            let seen = world.variable(0)
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { $0 = ($0 + $1) % 7 },
                feedbacks: [
                    .onEvent({ $0 == 2 ? true : nil }) { _ in
                        seen.value = min(seen.value + 1, 3)
                        return Effect<Int>.none
                    }
                ])
        }
        let exploration = explorer.check(depth: 20, mustBeComplete: true)
        #expect(exploration.configurations == 7 * 4)
        #expect(
            exploration.parts.prefix(2).map(\.description) == [
                "the state: 7 values in 28 configurations",
                "variable 1 of the world: 4 values in 28 configurations",
            ])
    }

    @Test("of many configurations, at most 200 are compared")
    func sampled() {
        let parts = Self.counting.explore(depth: 300).parts
        #expect(parts.map(\.name) == ["the state"])
        #expect(parts.map(\.configurations) == [151])
        #expect(parts.map(\.values) == [151])
    }

    @Test("without comparing there are no parts", arguments: [Merging.none])
    func incomparable(_ merging: Merging) {
        #expect(Self.counting.explore(depth: 3, .init(merging: merging)).parts.isEmpty)
    }

    @Test("an exploration continued, saved and restored has the same parts")
    func continued() {
        let whole = Self.counting.explore(depth: 30)
        let continued = Self.counting.explore(depth: 30, .init(stepLimit: 20)).continued()
        #expect(continued.parts == whole.parts)
        #expect(whole.parts.first?.values == 61)
    }

    @Test("a check that reaches a limit says how it has grown, and by what")
    func report() {
        let texts = failures { _ = Self.counting.check(depth: 50, .init(stepLimit: 30)) }
        #expect(
            texts == [
                """
                The exploration stopped after 30 steps, before it was complete to depth 50. No violation was found so far.

                Configurations by their distance from the start: 1, 1, 1, 1, 1, 1, 1, 1, …, 1, 1, 1, 1, 1, 1, 1.

                What keeps them apart:

                    the state: 31 values in 31 configurations

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise stepLimit.
                """
            ])
    }

    @Test("by default, the time is limited")
    func timeLimit() {
        #expect(ExplorationOptions().timeLimit == ExplorationOptions.defaultTimeLimit)
        #expect(ExplorationOptions(timeLimit: nil).timeLimit == nil)
        let cut = Self.counting.explore(depth: 50, .init(timeLimit: .zero))
        #expect(cut.gaps == [.timeLimit])
        #expect(cut.steps == 0)
        #expect(cut.continued(.init(timeLimit: nil)).configurations == 101)
    }

    @Test("the page of an exploration that is not complete lists the parts")
    func page() {
        #expect(Self.counting.explore(depth: 5).html().contains("What keeps configurations apart"))
        let complete = Explorer<Int, Int>(events: [1]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 3 })
        }
        #expect(
            !complete.check(depth: 5, mustBeComplete: true).html().contains("What keeps configurations apart")
        )
    }
}
