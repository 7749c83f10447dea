import PromisedExploring
import PromisedSystem

/// A search field whose state is a struct; old answers are shown if it is faulty.
enum Searching {
    struct State: Hashable, Sendable {
        var query = ""
        var hits: [String] = []
        var isBusy = false
        var limit = 10
    }

    enum Event: Hashable, Sendable { case type(String) }

    static func explorer(isFaulty: Bool = true) -> Explorer<State, Event> {
        Explorer(events: [.type("t"), .type("m")]) { world in
            let asked = world.variable("")
            world.atRest("the hits are those of the query") { state in
                state.hits.allSatisfy { $0.hasPrefix(state.query) }
            }
            return System(
                initialState: State(), scheduler: world.scheduler,
                configuration: .init(eventPolicy: { _ in isFaulty ? .queue : .replace })
            ) { state, event in
                guard case .type(let query) = event else { return .value(state) }
                var (loading, found) = (state, state)
                (loading.query, loading.isBusy) = (query, true)
                found.query = query
                asked.value = isFaulty && asked.value != "" ? asked.value : query
                let hits = asked.value == "t" ? ["tea"] : ["mug"]
                return world.call(
                    "find",
                    .result("comes") { [found] in
                        var found = found
                        found.hits = hits
                        return found
                    }
                ).stateWhenLoading(loading)
            }
        }
    }
}
