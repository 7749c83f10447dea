import PromisedExploring
import PromisedSystem
import Testing

/// What a continued exploration reports is what a whole one does.
@Suite struct ContinuedResultsTests {
    private static let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
        System(
            initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 * 3 + $1) % 11 },
            feedbacks: [
                .onEvent({ $0 == 2 ? true : nil }, policy: .drop) { (_: Bool) in
                    world.call("t", .value(1), .value(4))
                }
            ])
    }

    @Test("an exploration that was continued has the same shortest paths", arguments: [1, 7, 16, 33])
    func continued(_ cut: Int) {
        let whole = Self.explorer.explore(depth: 20)
        let continued = Self.explorer.explore(depth: 20, .init(stepLimit: cut)).continued()
        #expect(
            continued.shortestPaths(by: { $0 }).map(\.description)
                == whole.shortestPaths(by: { $0 }).map(\.description))
        let deeper = Self.explorer.explore(depth: 2).continued(depth: 20)
        #expect(
            deeper.shortestPaths(by: { $0 }).map(\.description)
                == whole.shortestPaths(by: { $0 }).map(\.description))
    }

    @Test("a continued exploration without time does nothing")
    func noTime() {
        let cut = Self.explorer.explore(depth: 20, .init(stepLimit: 5))
        #expect(cut.continued(.init(timeLimit: .zero)).steps == cut.steps)
    }

    @Test("parts are read while the exploration is continued")
    func concurrent() async {
        let cut = Self.explorer.explore(depth: 20, .init(stepLimit: 9))
        let whole = Self.explorer.explore(depth: 20)
        async let parts = cut.parts
        async let continued = cut.continued()
        #expect(await continued.configurations == whole.configurations)
        #expect(await !parts.isEmpty)
    }
}
