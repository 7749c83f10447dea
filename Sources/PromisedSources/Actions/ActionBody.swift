internal import Promise

/// The identity and the closures of an action. Copies of the action share it, so that a model is copied fast.
///
/// Its closures are specialised where the action is declared; methods of a generic class would not be.
@usableFromInline
final class ActionBody<Input: Sendable>: Sendable {
    @usableFromInline let identity: ActionIdentity
    /// Whether its input is transformed: then it is not what its name says, and can't be encoded.
    let isMapped: Bool
    /// - Returns: Why the action was not executed, or what it has thrown; nil if it was executed.
    @usableFromInline let execute: @Sendable (Input) -> ActionProblem?
    /// Publishes a problem in the log of the action's source, or reports it where nothing listens.
    @usableFromInline let report: @Sendable (ActionProblem, Input) -> Void
    /// The link that a model has at the declared place; nil unless a source has declared the action.
    let link: (@Sendable (any Sendable) -> ActionLink?)?
    /// The action of the source that has the property, given its place there; nil unless a property declares the
    /// action.
    let bind: (@Sendable (any AnyObject & Sendable, () -> String) -> Action<Input>)?

    @usableFromInline
    init(
        _ identity: ActionIdentity, isMapped: Bool = false,
        link: (@Sendable (any Sendable) -> ActionLink?)? = nil,
        bind: (@Sendable (any AnyObject & Sendable, () -> String) -> Action<Input>)? = nil,
        report: @escaping @Sendable (ActionProblem, Input) -> Void,
        execute: @escaping @Sendable (Input) -> ActionProblem?
    ) {
        (self.identity, self.isMapped) = (identity, isMapped)
        (self.link, self.bind) = (link, bind)
        (self.execute, self.report) = (execute, report)
    }

    /// - Parameter origin: Where the action was created.
    convenience init(
        _ identity: ActionIdentity, _ origin: Origin?,
        bind: (@Sendable (any AnyObject & Sendable, () -> String) -> Action<Input>)? = nil,
        execute: @escaping @Sendable (Input) -> ActionProblem?
    ) {
        self.init(
            identity, bind: bind,
            report: { problem, _ in identity.report(problem, at: origin) },
            execute: execute)
    }
}
