import PromisedExploring
import PromisedSystem
import TestSupport

/// A small random machine: transitions that settle at once, after a call or after a delay; policies; and work that
/// states request.
struct RandomMachine: Sendable {
    enum Transition: Sendable {
        case atOnce(Int)
        /// A call with these outcomes, nil for an error; it may show a loading state while it is open.
        case call([Int?], loading: Int?)
        case delay(Duration, Int)
    }

    struct Failure: Error {}

    let states: Int
    /// The events that a test sends.
    let events: Int
    /// By state and event. The events that a test sends come first, then those that work sends: one for each state.
    let transitions: [[Transition]]
    let policies: [EventPolicy]
    /// By state: whether its work may send its event, and whether it may fail; nil for no work.
    let work: [[Bool]?]
    /// A state that must not be reached, and one in which the machine must not rest.
    let forbidden: Int
    let forbiddenAtRest: Int

    /// - Parameter isFree: Whether no state is forbidden.
    init(seed: UInt64, isFree: Bool = false) {
        var dice = SeededGenerator(seed: seed)
        let states = Int.random(in: 2...4, using: &dice)
        let events = Int.random(in: 1...2, using: &dice)
        func state(_ dice: inout SeededGenerator) -> Int { Int.random(in: 0..<states, using: &dice) }
        transitions = (0..<states).map { _ in
            (0..<events + states).map { _ in
                switch Int.random(in: 0..<8, using: &dice) {
                case 0..<4: return .atOnce(state(&dice))
                case 4: return .delay(.seconds(Int.random(in: 1...2, using: &dice)), state(&dice))
                default:
                    let outcomes = (0..<Int.random(in: 1...2, using: &dice)).map { _ in
                        Bool.random(using: &dice) || Bool.random(using: &dice) ? state(&dice) : nil
                    }
                    return .call(outcomes, loading: Bool.random(using: &dice) ? state(&dice) + 100 : nil)
                }
            }
        }
        policies = (0..<events + states).map { _ in
            [.queue, .queue, .replace, .dropWhileBusy][Int.random(in: 0..<4, using: &dice)]
        }
        work = (0..<states).map { _ in
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: [true]
            case 1: [true, false]
            default: nil
            }
        }
        forbidden = isFree ? -1 : Int.random(in: 1...8, using: &dice)
        forbiddenAtRest = isFree ? -1 : Int.random(in: 1...6, using: &dice)
        (self.states, self.events) = (states, events)
    }

    var explorer: Explorer<Int, Int> {
        Explorer(events: Array(0..<events)) { [self] world in
            world.always("never \(forbidden)") { $0 != forbidden }
            world.atRest("does not rest in \(forbiddenAtRest)") { $0 != forbiddenAtRest }
            return System(
                initialState: 0, scheduler: world.scheduler,
                feedbacks: [
                    .react(requests: { work[$0] == nil ? [] : [$0] }) { state in
                        world.call(
                            "work \(state)",
                            (work[state] ?? []).enumerated().map { number, succeeds in
                                .result("\(number)") {
                                    if succeeds { events + state } else { throw Failure() }
                                }
                            })
                    }
                ], configuration: .init(eventPolicy: { policies[$0] })
            ) { state, event in
                switch transitions[state][event] {
                case .atOnce(let next): return .value(next)
                case .delay(let duration, let next): return Promise.value(next).delay(duration)
                case .call(let outcomes, let loading):
                    let call = world.call(
                        "transition",
                        outcomes.enumerated().map { number, next in
                            Outcome<Int>.result("\(number)") { if let next { next } else { throw Failure() } }
                        })
                    return loading.map { call.stateWhenLoading($0) } ?? call
                }
            }
        }
    }
}
