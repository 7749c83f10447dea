import PromisedExploring
import PromisedSystem

/// Counters that are stored when they are tapped: each has one effect, which succeeds, fails or is cancelled.
enum Counters {
    struct State: Hashable, Sendable {
        struct Counter: Hashable, Sendable {
            var value = 0
            var isSaving = false
        }

        var first = Counter()
        var second = Counter()
        var third = Counter()

        subscript(index: Int) -> Counter {
            get { index == 0 ? first : index == 1 ? second : third }
            set {
                switch index {
                case 0: first = newValue
                case 1: second = newValue
                default: third = newValue
                }
            }
        }
    }

    enum Event: Hashable, Sendable {
        case tap(Int), saved(Int), failed(Int)
    }

    struct Full: Error {}

    private static let names = ["first", "second", "third"]

    static func explorer(onBuild: @escaping @Sendable () -> Void = {}) -> Explorer<State, Event> {
        Explorer(events: (0..<3).map { .tap($0) }) { world in
            onBuild()
            world.atRest("no spinner is left") {
                !($0.first.isSaving || $0.second.isSaving || $0.third.isSaving)
            }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [
                    .react(requests: { state in Set((0..<3).filter { state[$0].isSaving }) }) { index in
                        world.call(names[index], .value(Event.saved(index)), .error(Full()), .cancelled)
                            .mapErrorRecover { _ in .failed(index) }
                    }
                ])
        }
    }

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .tap(let index): state[index].isSaving = true
        case .saved(let index):
            state[index].isSaving = false
            state[index].value += 1
        case .failed(let index): state[index].isSaving = false
        }
    }
}
