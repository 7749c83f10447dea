public import PromisedSystem

/// A source that is a state machine: a final class that owns a model, which it changes in the methods that its
/// ``Action``s call.
///
/// ```swift
/// import PromisedSources
///
/// enum Account: Sendable {
///     case signedOut(signIn: Action<String>)
///     case signedIn(name: String, signOut: Action<Void>)
///
///     var signIn: Action<String>? { if case .signedOut(let signIn) = self { signIn } else { nil } }
///     var signOut: Action<Void>? { if case .signedIn(_, let signOut) = self { signOut } else { nil } }
/// }
///
/// final class AccountSource: StateSource {
///     let state = SourceState<Account>()
///     var initialModel: Account { .signedOut(signIn: signInAction) }
///
///     private var signInAction: Action<String> { action(AccountSource.signIn, at: \.signIn) }
///     private var signOutAction: Action<Void> { action(AccountSource.signOut, at: \.signOut) }
///
///     private func signIn(_ name: String) { model = .signedIn(name: name, signOut: signOutAction) }
///     private func signOut() { model = .signedOut(signIn: signInAction) }
/// }
///
/// let account = AccountSource().eraseToSource()
/// account.value.signIn?("Ada")
/// print(account.value.signOut != nil)
/// ```
///
/// The model offers the possible actions: an action is called only where the present model offers it. Everybody else
/// gets the source as a `Source`, which cannot be set.
public protocol StateSource<Model>: AnyObject, Sendable {
    associatedtype Model: Sendable

    /// Holds the model. Declare it as `let state = SourceState<Model>()`.
    var state: SourceState<Model> { get }

    /// The first model. Evaluated at most once, at the first read or subscription; it must not read the model, and
    /// should start no work: that is for ``start()``.
    var initialModel: Model { get }

    /// Called once, after the first read or subscription, on the thread that did it: starts what the source does by
    /// itself, such as a first fetch. Does nothing by default.
    func start()

    /// Makes decoded actions in a model live; see ``DecodableActionSource``. Does nothing by default.
    func adoptActions(in model: Model)
}

extension StateSource {
    /// Does nothing.
    public func start() {}
    /// Does nothing.
    public func adoptActions(in model: Model) {}

    /// The present model. Setting it publishes once, also an equal one, from any thread. It is visible at once, also in
    /// the middle of a delivery; subscribers receive it after the models before it, never nested.
    ///
    /// Changing a part, as in `model.count += 1`, is a read and a set. If several threads change the model, use
    /// ``update(_:)``.
    public var model: Model {
        @inlinable get { state.present ?? state.begin(self) }
        @inlinable set {
            adoptActions(in: newValue)
            state.modelIsSet()
            state.subject.publish(newValue)
        }
    }

    /// Changes the model as one step, whatever other threads do meanwhile.
    ///
    /// - Parameter body: Changes a copy of the present model, on this thread and under no lock; called again if the
    ///   model was set meanwhile. It should do nothing else: if it set the model itself, it would be called endlessly.
    /// - Returns: What `body` has returned at last.
    /// - Throws: The error of `body`; then the model stays as it was.
    @discardableResult
    public func update<Result>(_ body: (inout Model) throws -> Result) rethrows -> Result {
        while true {
            _ = model
            state.modelIsSet()
            let result = try state.subject.update { model in
                let result = try body(&model)
                adoptActions(in: model)
                return result
            }
            if let result { return result }
        }
    }

    /// The source for everybody else: it can be read and subscribed to, and not set.
    ///
    /// It keeps this object alive; its subscriptions do not. All of them are equal.
    @inlinable
    public func eraseToSource() -> Source<Model> { state.source { self.model } }
}
