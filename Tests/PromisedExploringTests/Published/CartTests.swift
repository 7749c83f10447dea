import PromisedExploring
import PromisedSystem
import Testing

/// A product page whose reducer returns promises: the page can be reloaded, and the product be put into a cart.
enum Cart {
    enum Status: Hashable, Sendable {
        case ready, loading, adding, failed
    }

    struct State: Hashable, Sendable {
        var status = Status.ready
        var inCart = 0
    }

    enum Event: Hashable, Sendable {
        case reload, add
    }

    struct Offline: Error {}

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.reload, .add]) { world in
            let server = world.variable(0)
            world.wheneverSettled("no spinner is left") { $0.status == .ready || $0.status == .failed }
            world.atRest("the page shows what is in the cart") { $0.inCart == server.value }
            // Planted: each event replaces the running transition, and with it the answer to an order that the server
            // has already received. Mended: the buttons do nothing until the transition is over.
            return System(
                initialState: State(), scheduler: world.scheduler,
                configuration: .init(eventPolicy: { _ in isMended ? .dropWhileBusy : .replace })
            ) { state, event in
                @Sendable func show(_ status: Status, _ inCart: Int? = nil) -> State {
                    State(status: status, inCart: inCart ?? state.inCart)
                }
                switch event {
                case .reload:
                    return world.call("load", .value(show(.ready), named: "page"), .error(Offline()))
                        .mapErrorRecover { _ in show(.failed) }
                        .stateWhenLoading(show(.loading))
                case .add where state.inCart < 2:
                    return world.call("order", .result("received") { server.value += 1 })
                        .flatMap {
                            world.call("answer", .value(show(.ready, state.inCart + 1), named: "arrives"))
                        }
                        .stateWhenLoading(show(.adding))
                case .add: return .value(state)
                }
            }
        }
    }
}

// After the product page of PromisedArchitectureKit.
@Suite struct CartTests {
    @Test("an order that was received is forgotten: found in 4 steps")
    func planted() throws {
        let found = try #require(Cart.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.add), .answer("order", "received"), .send(.reload), .answer("load", "page"),
            ])
    }

    @Test("an order is never replaced: complete")
    func mended() {
        let exploration = Cart.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
