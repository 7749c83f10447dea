import PromisedExploring
import PromisedSystem

/// An order that is placed with a call, and the properties that a test declares for it.
enum Order {
    enum State: Hashable, Sendable { case cart, placing, placed, failed }
    enum Event: Hashable, Sendable { case place, new, placed, failed }

    struct Refused: Error, CustomStringConvertible { var description: String { "refused" } }

    /// - Parameters:
    ///   - policy: What happens when an order is placed while another one is.
    ///   - limit: The time after which the call is given up.
    ///   - retries: Whether a refused order is placed again, without an end.
    static func build(
        policy: EffectPolicy = .drop, limit: Duration? = nil, retries: Bool = false, hangs: Bool = false,
        properties: @escaping @Sendable (World<State>) -> Void
    ) -> Explorer<State, Event>.Build {
        { world in
            properties(world)
            let reducer = Reducer<State, Event> { state, event in
                switch event {
                case .place: state = .placing
                case .new: state = .cart
                case .placed: state = .placed
                case .failed: state = .failed
                }
            }
            @Sendable
            func place() -> Promise<Event> {
                var outcomes: [PromisedExploring.Outcome<Event>] = [
                    .value(.placed, named: "done"), .error(Refused()),
                ]
                if hangs { outcomes.append(.never) }
                let call = world.call("order", outcomes)
                return (limit.map { call.timeout($0) } ?? call).mapErrorRecover { _ in
                    retries ? .place : .failed
                }
            }
            let feedback: Feedback<State, Event> = .onEvent({ $0 == .place ? true : nil }, policy: policy) {
                _ in
                place()
            }
            return System(
                initialState: .cart, scheduler: world.scheduler, reducer: reducer, feedbacks: [feedback])
        }
    }

    static func explorer(
        policy: EffectPolicy = .drop, limit: Duration? = nil, retries: Bool = false, hangs: Bool = false,
        properties: @escaping @Sendable (World<State>) -> Void
    ) -> Explorer<State, Event> {
        Explorer(
            events: [.place, .new],
            build: build(policy: policy, limit: limit, retries: retries, hangs: hangs, properties: properties)
        )
    }
}

/// Explores with equal configurations merged and along every path, and expects the same counterexample or none.
@discardableResult
func explored<State, Event>(
    _ explorer: Explorer<State, Event>, depth: Int
) -> (steps: [Step<Event>]?, text: String?, isSame: Bool) {
    let (merged, every) = (
        explorer.explore(depth: depth), explorer.explore(depth: depth, .init(merging: .none))
    )
    let text = merged.counterexample?.description
    return (merged.counterexample?.steps, text, text == every.counterexample?.description)
}
