import PromisedExploring
import PromisedSystem

/// The machines that are explored, by name.
enum Machines {
    /// A synchronous reducer alone: three dials of a hundred positions, which turn one by one.
    enum Dials {
        struct State: Hashable, Sendable {
            var first: UInt8 = 0
            var second: UInt8 = 0
            var third: UInt8 = 0
        }

        enum Event: Hashable, Sendable { case first, second, third }

        static let reducer = Reducer<State, Event> { state, event in
            switch event {
            case .first: state.first = (state.first + 1) % 100
            case .second: state.second = (state.second + 1) % 100
            case .third: state.third = (state.third + 1) % 100
            }
        }

        static func explorer(onBuild: @escaping @Sendable () -> Void = {}) -> Explorer<State, Event> {
            Explorer(events: [.first, .second, .third]) { world in
                onBuild()
                return System(initialState: State(), scheduler: world.scheduler, reducer: reducer)
            }
        }
    }

    /// A reducer that asks for a number before it changes something, and is sent events meanwhile.
    enum Asking {
        typealias State = Dials.State
        typealias Event = Dials.Event

        static func explorer(onBuild: @escaping @Sendable () -> Void = {}) -> Explorer<State, Event> {
            Explorer(events: [.first, .second, .third]) { world in
                onBuild()
                return System(initialState: State(), scheduler: world.scheduler) { state, event in
                    world.call("number", .value(UInt8(1)), .value(2), .error(Counters.Full())).map { number in
                        var state = state
                        switch event {
                        case .first: state.first = (state.first + number) % 100
                        case .second: state.second = (state.second + number) % 100
                        case .third: state.third = (state.third + number) % 100
                        }
                        return state
                    }
                    .mapErrorRecover { _ in state }
                }
            }
        }
    }
}
