import Promise
import PromisedExploring
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import Testing

/// Every order of the calls of methods, of answers and of time.
struct ModelExplorationTests {
    private func explorer(cancels: Bool) -> Explorer<Finder.State, Finder.Call?> {
        Explorer(events: [.type("a"), .type("b"), .clear]) { world in
            world.atRest("what is shown belongs to the text") {
                $0.result.isEmpty || $0.result == "found \($0.text)"
            }
            let store = Store<Finder>(initialState: .init(cancels: cancels), scheduler: world.scheduler) {
                $0[SearchKey.self] = { text in
                    world.call("search \(text)", .value("found \(text)"), .error(Failure()))
                }
            }
            return world.driving(store) { call, finder in
                switch call {
                case .type(let text): finder.type(text)
                case .clear: finder.clear()
                }
            }
        }
    }

    @Test("An answer that is out of date is found, and the counterexample reads as calls of methods")
    func stale() {
        let found = explorer(cancels: false).explore(depth: 4).counterexample
        #expect(
            found?.description.contains(
                """
                    explorer.replay(
                        .send(.type("a")),
                        .send(.clear),
                        .answer("search a", "found a"))
                """) == true, "\(found as Any)")
    }

    @Test("Where the task before is cancelled, all orders are right, and their configurations are finite")
    func cancelled() {
        for depth in 1...6 { let e = explorer(cancels: true).explore(depth: depth); print("D", depth, e.gaps, e.configurations, e.transitions, e.counterexample as Any) }
        let exploration = explorer(cancels: true).check(depth: 6)
        print(exploration.gaps, exploration.configurations, exploration.transitions)
        #expect(exploration.gaps == [])
    }
}

struct Finder: Model {
    struct State: Hashable { var text = "", result = "", cancels = false }
    enum Call: Hashable { case type(String), clear }
    let context: ModelContext<Finder>
    private var state: ModelState<Self> { context.state }

    func type(_ text: String) {
        state.text = text
        if state.cancels { cancelAll(for: "search") }
        task {
            state.result = try await dependency(SearchKey.self)(text).value
        } catch: { _ in
            state.result = ""
        }
        .cancel(for: "search")
    }

    func clear() {
        if state.cancels { cancelAll(for: "search") }
        state.update { ($0.text, $0.result) = ("", "") }
    }
}

enum SearchKey: DependencyKey {
    static let liveValue: @Sendable (String) -> Promise<String> = { .value($0) }
}
