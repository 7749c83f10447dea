// expect-error: value of type 'Account.SignedOut' has no member 'logOut'
// SA-28: a case without an action cannot offer it
import PromisedSources

enum Account: Sendable {
    struct SignedOut: Sendable { let logIn: Action<String> }
    struct SignedIn: Sendable { let logOut: Action<Void> }
    case signedOut(SignedOut)
    case signedIn(SignedIn)
}

func example(account: Account) {
    if case .signedOut(let account) = account {
        // <wrong>
        account.logOut()
        // </wrong>
        account.logIn("Ada")
    }
}
