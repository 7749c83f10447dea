internal import Promise

/// What a decoded action refers to. Copies share it, so all become live together.
final class ActionLink: Sendable {
    private enum Content: Sendable {
        case unset
        /// The live action's body, for its type of input.
        case live(any Sendable)
        case problem(ActionProblem)
    }

    let identifier: String
    let name: String
    private let content = Lock(Content.unset)

    init(identifier: String, name: String) { (self.identifier, self.name) = (identifier, name) }

    /// Makes the link live, or notes why it can't be.
    ///
    /// - Parameter declared: The action that the source declares under this name; nil if there is none.
    func resolve(in identifier: String, _ declared: (any DeclaredAction)?) {
        guard case .unset = content.withLock({ $0 }) else { return }
        if identifier != self.identifier {
            content.exchange(for: .problem(.wrongSource(self.identifier)))
        } else if let declared {
            content.exchange(for: .live(declared.anyBody))
        } else {
            content.exchange(for: .problem(.invalidMethod(name)))
        }
    }

    func body<Input: Sendable>(for _: Input.Type) -> Result<any ActionBody<Input>, ActionProblem> {
        switch content.withLock({ $0 }) {
        case .unset: .failure(.notSet)
        case .problem(let problem): .failure(problem)
        case .live(let body):
            (body as? any ActionBody<Input>).map { .success($0) } ?? .failure(.invalidMethod(name))
        }
    }
}

struct LinkedBody<Input: Sendable>: ActionBody {
    let link: ActionLink

    func execute(_ input: Input) -> ActionProblem? {
        switch link.body(for: Input.self) {
        case .success(let body): body.execute(input)
        case .failure(let problem): problem
        }
    }

    func report(_ problem: ActionProblem, _ input: Input) {
        switch link.body(for: Input.self) {
        case .success(let body): body.report(problem, input)
        case .failure: SourceProblem.report(problem, .decoded(link), at: nil)
        }
    }
}
