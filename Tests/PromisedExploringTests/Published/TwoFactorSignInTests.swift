import PromisedExploring
import PromisedSystem
import Testing

/// A sign-in with a password and a code, which can be cancelled at any time.
enum TwoFactorSignIn {
    enum Stage: Hashable, Sendable {
        case form, password, code, checkingCode, home(user: String)
    }

    struct State: Hashable, Sendable {
        var stage = Stage.form
        /// Who has asked to be signed in, and has not withdrawn it.
        var account: String?
    }

    enum Event: Hashable, Sendable {
        case logIn(String), enterCode, cancel, logOut
        case passwordAccepted, signedIn(String), refused
    }

    struct Refused: Error {}

    static let reducer = Reducer<State, Event> { state, event in
        switch (event, state.stage) {
        case (.logIn(let account), .form): state = State(stage: .password, account: account)
        case (.passwordAccepted, .password): state.stage = .code
        case (.enterCode, .code): state.stage = .checkingCode
        case (.signedIn(let user), _): state.stage = .home(user: user)
        case (.refused, .checkingCode): state.stage = .code
        case (.refused, .password), (.logOut, .home), (.cancel, .password), (.cancel, .code),
            (.cancel, .checkingCode):
            state = State()
        default: break
        }
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.logIn("ann"), .logIn("bob"), .enterCode, .cancel, .logOut]) { world in
            world.always("who is signed in has asked for it") { state in
                if case .home(let user) = state.stage { user == state.account } else { true }
            }
            @Sendable func ask(_ question: String, _ answer: Event) -> Promise<Event> {
                world.call(question, .value(answer, named: "yes"), .error(Refused(), named: "no"))
                    .mapErrorRecover { _ in .refused }
            }
            let password = Feedback<State, Event>.latest(state: { $0.stage == .password ? $0.account : nil })
            {
                ask("password of \($0)", .passwordAccepted)
            }
            // Planted: the answer arrives whatever was done meanwhile. Mended: the check lasts as long as its stage.
            @Sendable func account(_ state: State) -> String? {
                state.stage == .checkingCode ? state.account : nil
            }
            @Sendable func checkCode(of account: String) -> Promise<Event> {
                ask("code of \(account)", .signedIn(account))
            }
            let code: Feedback<State, Event> =
                isMended
                ? .latest(state: account, effects: checkCode)
                : .onEvent(
                    withState: { event, state in event == .enterCode ? account(state) : nil },
                    effects: checkCode)
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [password, code])
        }
    }
}

// After the sign-in of the Tic-Tac-Toe sample of The Composable Architecture.
@Suite struct TwoFactorSignInTests {
    @Test("a cancelled sign-in signs in: found in 5 steps")
    func planted() throws {
        let found = try #require(TwoFactorSignIn.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.logIn("ann")), .answer("password of ann", "yes"), .send(.enterCode), .send(.cancel),
                .answer("code of ann", "yes"),
            ])
    }

    @Test("the check of the code is cancelled with its stage: complete")
    func mended() {
        let exploration = TwoFactorSignIn.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
