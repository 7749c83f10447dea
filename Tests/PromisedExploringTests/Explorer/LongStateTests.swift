import PromisedExploring
import PromisedSystem
import Testing

/// States that do not fit on one line of a report.
@Suite struct LongStateTests {
    private struct Page: Hashable {
        var lines = (0..<30).map { "line \($0)" }
        var count = 0
        var last: Int?
    }
    private enum Event: Hashable { case add }

    private func explorer(_ bound: Int) -> Explorer<Page, Event> {
        Explorer(events: [.add]) { world in
            world.always("bounded") { $0.count < bound }
            return System(initialState: Page(), scheduler: world.scheduler) { page, _ in
                var next = page
                (next.count, next.last) = (page.count + 1, page.count)
                var loading = page
                loading.last = -1
                return world.call("work", .result("done") { [next] in next }).stateWhenLoading(loading)
            }
        }
    }

    @Test(
        "A counterexample shows the changes of a long state, and the whole state that violates the property")
    func counterexample() throws {
        let found = try #require(explorer(2).explore(depth: 4).counterexample)
        let lines = (0..<30).map { "\"line \($0)\"" }.joined(separator: ", ")
        #expect(
            found.description == """
                "bounded" does not hold after 4 steps.

                    1. .send(.add)
                        loading, last: nil → -1
                    2. .send(.add)
                    3. .answer("work", "done")
                        count: 0 → 1, last: -1 → 0
                        loading, last: 0 → -1
                    4. .answer("work 2", "done")
                        count: 1 → 2, last: -1 → 1

                The state that breaks it:

                    LongStateTests.Page(
                        lines: [\(lines)],
                        count: 2,
                        last: 1)

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.add),
                        .send(.add),
                        .answer("work", "done"),
                        .answer("work 2", "done"))
                """)
    }

    @Test("A long state that is shown again as a loading state is described as unchanged")
    func theSame() throws {
        let explorer = Explorer<Page, Event>(events: [.add]) { world in
            world.always("bounded") { $0.count < 1 }
            return System(initialState: Page(), scheduler: world.scheduler) { page, _ in
                var next = page
                if page.last == nil { next.last = 0 } else { next.count = 1 }
                return Promise.value(next).delay(.seconds(1)).stateWhenLoading(page)
            }
        }
        let found = try #require(explorer.explore(depth: 5).counterexample)
        #expect(found.description.contains("\n        loading, the same\n"))
        #expect(found.description.contains("\n        count: 0 → 1\n"))
    }
}
