import PromisedExploring
import PromisedSystem
import Testing

/// A search that waits until the typing pauses.
enum SearchAsYouType {
    struct State: Hashable, Sendable {
        var query = ""
        var results: [String] = []
    }

    enum Event: Hashable, Sendable {
        case type(String), found([String])
    }

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .type(let query): state.query = query
        case .found(let results): state.results = results
        }
    }

    /// Planted: each query has its own request, which is never cancelled. Mended: one request, for the current query.
    static func searching(
        isMended: Bool, _ find: @escaping @Sendable (String) -> Promise<[String]>
    ) -> Feedback<State, Event> {
        @Sendable func search(_ query: String) -> Promise<Event> {
            find(query).delayStart(.milliseconds(300)).map(Event.found)
        }
        return isMended
            ? .latest(state: { $0.query.isEmpty ? nil : $0.query }, effects: search)
            : .onEvent({ if case .type(let query) = $0 { query } else { nil } }, effects: search)
    }

    static func hits(_ query: String) -> [String] { ["red", "reed"].filter { $0.hasPrefix(query) } }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.type("re"), .type("ree")]) { world in
            world.atRest("the results are those of the query") {
                $0.query.isEmpty || $0.results == hits($0.query)
            }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [
                    searching(isMended: isMended) { query in
                        world.call("find \(query)", .value(hits(query), named: "hits"))
                    }
                ])
        }
    }
}

// After the repository search of RxFeedback, and the search sample of The Composable Architecture.
@Suite struct SearchAsYouTypeTests {
    @Test("an older answer overwrites a newer one: found in 5 steps")
    func planted() throws {
        let found = try #require(SearchAsYouType.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.type("re")), .send(.type("ree")), .advance(by: .milliseconds(300)),
                .answer("find ree", "hits"), .answer("find re", "hits"),
            ])
    }

    @Test("the current query alone is asked for: complete")
    func mended() {
        let exploration = SearchAsYouType.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
