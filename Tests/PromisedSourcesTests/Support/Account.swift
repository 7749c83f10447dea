import PromisedSources

/// The authentication example of the published design.
enum Authentication: Sendable {
    struct SignedOut: Sendable {
        var failure: String?
        let logIn: Action<String>
    }

    struct SignedIn: Sendable {
        let token: String
        let logOut: Action<Void>
    }

    case signedOut(SignedOut)
    case signedIn(SignedIn)

    var signedOut: SignedOut? { if case .signedOut(let value) = self { value } else { nil } }
    var signedIn: SignedIn? { if case .signedIn(let value) = self { value } else { nil } }
}

final class AuthManager: StateSource {
    let state: SourceState<Authentication>
    let calls = Threadsafe(wrappedValue: [String]())

    init(log: ActionLog? = nil) { state = SourceState(log: log) }

    var initialModel: Authentication { .signedOut(.init(logIn: logInAction)) }

    var logInAction: Action<String> { action(AuthManager.logIn, at: \.signedOut?.logIn) }
    var logOutAction: Action<Void> { action(AuthManager.logOut, at: \.signedIn?.logOut) }

    private func logIn(_ password: String) {
        calls.wrappedValue.append("logIn \(password)")
        model =
            password == "good"
            ? .signedIn(.init(token: "token", logOut: logOutAction))
            : .signedOut(.init(failure: "wrong", logIn: logInAction))
    }

    private func logOut() {
        calls.wrappedValue.append("logOut")
        model = .signedOut(.init(logIn: logInAction))
    }
}

/// Collects what it is given.
final class Seen<Value: Sendable>: Sendable {
    private let content = Threadsafe(wrappedValue: [Value]())
    var values: [Value] { content.wrappedValue }
    func add(_ value: Value) { content.wrappedValue.append(value) }
}
