import PromisedExploring
import PromisedSystem

/// Counters that are stored when they are tapped: each has one effect, which succeeds, fails or is cancelled.
enum Counters {
    struct State: Hashable, Sendable {
        struct Counter: Hashable, Sendable {
            var value = 0
            var isSaving = false
        }

        var counters: [Counter]
    }

    enum Event: Hashable, Sendable {
        case tap(Int), saved(Int), failed(Int)
    }

    struct Full: Error {}

    static func explorer(_ count: Int, limit: Int = 2) -> Explorer<State, Event> {
        Explorer(events: (0..<count).map { .tap($0) }) { world in
            world.atRest("no spinner is left") { !$0.counters.contains { $0.isSaving } }
            return System(
                initialState: State(counters: Array(repeating: .init(), count: count)),
                scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    switch event {
                    case .tap(let index): state.counters[index].isSaving = true
                    case .saved(let index):
                        state.counters[index].isSaving = false
                        state.counters[index].value = (state.counters[index].value + 1) % limit
                    case .failed(let index): state.counters[index].isSaving = false
                    }
                },
                feedbacks: [
                    .react(requests: { state in
                        Set(state.counters.indices.filter { state.counters[$0].isSaving })
                    }) {
                        index in
                        world.call("save \(index)", .value(Event.saved(index)), .error(Full()), .cancelled)
                            .mapErrorRecover { _ in .failed(index) }
                    }
                ])
        }
    }
}
