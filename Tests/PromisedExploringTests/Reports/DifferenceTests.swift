import PromisedExploring
import PromisedSystem
import Testing

/// States that consist of properties are described by what has changed in them.
@Suite struct DifferenceTests {
    @Test("a counterexample shows what each step has changed, and the whole state that violates the property")
    func counterexample() throws {
        let found = try #require(Searching.explorer().explore(depth: 4).counterexample)
        #expect(
            found.description == """
                "the hits are those of the query" does not hold after 4 steps, at rest: nothing more happens by itself. \
                It is broken by Searching.State(query: "m", hits: ["tea"], isBusy: false, limit: 10).

                    1. .send(.type("t"))
                        loading, query: "" → "t", isBusy: false → true
                    2. .send(.type("m"))
                    3. .answer("find", "comes")
                        hits[0]: + "tea", isBusy: true → false
                        loading, query: "t" → "m", isBusy: false → true
                    4. .answer("find 2", "comes")
                        isBusy: true → false

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.type("t")),
                        .send(.type("m")),
                        .answer("find", "comes"),
                        .answer("find 2", "comes"))
                """)
    }

    @Test("many changes have a line each") func many() {
        let explorer = Explorer<Searching.State, Int>(events: [1]) { world in
            System(
                initialState: Searching.State(), scheduler: world.scheduler,
                reducer: Reducer { state, _ in
                    state.hits = (1...12).map { "mug number \($0)" }
                    state.limit = 9
                })
        }
        let hits = (0..<10).map { "        hits[\($0)]: + \"mug number \($0 + 1)\"" }.joined(separator: "\n")
        #expect(explorer.replay(.send(1)).first?.description == ".send(1)\n    changed:\n\(hits)\n        …")
    }

    @Test("an entry of a trace is described by what its step has changed")
    func entry() {
        let trace = Searching.explorer().walk(length: 1, seed: 1)
        #expect(
            trace.map(\.description) == [
                ".send(.type(\"m\"))\n    loading, query: \"\" → \"m\", isBusy: false → true"
            ])
    }
}
