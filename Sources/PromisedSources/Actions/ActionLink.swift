internal import Promise

/// The reference of a decoded action to a declared one. Copies share it, so all become live together.
@usableFromInline
final class ActionLink: Sendable {
    private enum LinkState: Sendable {
        case unset
        /// The live action's body, for its type of input, and its source.
        case live(any Sendable, ActionOwner)
        /// Why it is not live, and the source that has found it out.
        case problem(ActionProblem, ActionOwner)
    }

    /// Why there is no body, and the source whose log that belongs in.
    struct ActionFailure: Error {
        var problem: ActionProblem
        var owner: ActionOwner?
    }

    let identifier: String
    let name: String
    private let content = Lock(LinkState.unset)

    init(identifier: String, name: String) { (self.identifier, self.name) = (identifier, name) }

    /// Makes the link live, or notes why it can't be. A source that is created again makes it live once more.
    ///
    /// - Parameters:
    ///   - owner: The source.
    ///   - declared: The action that the source declares under this name; nil if there is none.
    func resolve(in identifier: String, _ owner: ActionOwner, _ declared: (any DeclaredAction)?) {
        guard identifier == self.identifier else {
            // The result of its own source stays.
            return content.withLock { content in
                if case .unset = content { content = .problem(.wrongSource(self.identifier), owner) }
            }
        }
        content.exchange(
            for: declared.map { .live($0.declaration.body, owner) } ?? .problem(.invalidMethod(name), owner))
    }

    func body<Input: Sendable>(for _: Input.Type) -> Result<ActionBody<Input>, ActionFailure> {
        switch content.withLock({ $0 }) {
        case .unset: .failure(ActionFailure(problem: .notSet))
        case .problem(let problem, let owner): .failure(ActionFailure(problem: problem, owner: owner))
        case .live(let body, let owner):
            (body as? ActionBody<Input>).map { .success($0) }
                ?? .failure(ActionFailure(problem: .invalidMethod(name), owner: owner))
        }
    }
}

extension ActionBody {
    /// The body of a decoded action.
    convenience init(_ link: ActionLink) {
        self.init(
            .decoded(link),
            report: { problem, input in
                switch link.body(for: Input.self) {
                case .success(let body): body.report(problem, input)
                case .failure(let failure):
                    if failure.owner?.publish(link.name, input, problem) ?? false { return }
                    ActionIdentity.decoded(link).report(problem, at: nil)
                }
            },
            execute: { input in
                switch link.body(for: Input.self) {
                case .success(let body): return body.execute(input)
                case .failure(let failure):
                    failure.owner?.record(link.name, input, failure.problem)
                    return failure.problem
                }
            })
    }
}
