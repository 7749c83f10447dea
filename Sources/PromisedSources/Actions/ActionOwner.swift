public import Promise

/// The identity of a source, shared by its actions, which do not retain the source.
@usableFromInline
final class ActionOwner: Sendable {
    /// The name of the source's type.
    let name: String
    /// Identifies the source when it is created again; nil unless its actions can be decoded.
    let identifier: String?
    @usableFromInline let log: ActionLog?

    init(name: String, identifier: String?, log: ActionLog?) {
        (self.name, self.identifier, self.log) = (name, identifier, log)
    }

    @usableFromInline
    func record(_ action: String, _ input: any Sendable, _ problem: ActionProblem?) {
        log?.add(ActionCall(source: name, action: action, input: input, problem: problem))
    }

    @usableFromInline
    func report(_ action: String, _ input: any Sendable, _ problem: ActionProblem, at origin: Origin) {
        if publish(action, input, problem) { return }
        ActionIdentity.method(self, action).report(problem, at: origin)
    }

    /// Publishes a problem in the log; false if nothing listens to it.
    func publish(_ action: String, _ input: any Sendable, _ problem: ActionProblem) -> Bool {
        log?.publish(problem: ActionCall(source: name, action: action, input: input, problem: problem))
            ?? false
    }
}
