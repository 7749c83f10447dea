import PromisedExploring
import PromisedSystem
import Testing

/// Requests with an access token that has expired: it is renewed, and the requests are made again.
enum TokenRefresh {
    struct State: Hashable, Sendable {
        var token = 0
        var isRefreshing = false
        var isSignedOut = false
        /// The requests without an answer.
        var open: Set<String> = []

        /// The requests that are made, each with the token that it is made with.
        var requests: [String: Int] {
            isSignedOut ? [:] : Dictionary(uniqueKeysWithValues: open.map { ($0, token) })
        }
    }

    enum Event: Hashable, Sendable {
        case load(String), loaded(String), expired, refreshed(Int), revoked
    }

    struct Expired: Error {}
    struct Revoked: Error {}

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .load(let name): state.open.insert(name)
        case .loaded(let name): state.open.remove(name)
        case .expired: state.isRefreshing = true
        case .refreshed(let token): (state.token, state.isRefreshing) = (token, false)
        case .revoked: state.isSignedOut = true
        }
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.load("a"), .load("b")]) { world in
            // The token that can be exchanged for a new one, once.
            let server = world.variable(0)
            world.always("the user stays signed in") { !$0.isSignedOut }
            let loading = Feedback<State, Event>.react(requests: { $0.requests }) { name, token in
                world.call("load \(name)", .result("answer") { if token == 0 { throw Expired() } })
                    .map { .loaded(name) }.mapErrorRecover { _ in .expired }
            }
            @Sendable func refresh(_ token: Int) -> Promise<Event> {
                world.call(
                    "refresh",
                    .result("answer") {
                        guard server.value == token else { throw Revoked() }
                        server.value = token + 1
                    }
                )
                .map { .refreshed(token + 1) }.mapErrorRecover { _ in .revoked }
            }
            // Planted: each request that is refused starts a refresh. Mended: the first one does.
            let refreshing: Feedback<State, Event> =
                isMended
                ? .latest(state: { $0.isRefreshing ? $0.token : nil }, effects: refresh)
                : .onEvent(
                    withState: { event, state in event == .expired ? state.token : nil }, effects: refresh)
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [loading, refreshing])
        }
    }
}

// After the token refresh that users of Redux write into their middleware.
@Suite struct TokenRefreshTests {
    @Test("a token is exchanged twice, which signs the user out: found in 6 steps")
    func planted() throws {
        let found = try #require(TokenRefresh.explorer(isMended: false).explore(depth: 7).counterexample)
        #expect(
            found.steps == [
                .send(.load("a")), .send(.load("b")), .answer("load a", "answer"),
                .answer("load b", "answer"), .answer("refresh", "answer"), .answer("refresh 2", "answer"),
            ])
    }

    @Test("all refused requests wait for one refresh: complete")
    func mended() {
        let exploration = TokenRefresh.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
