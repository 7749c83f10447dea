internal import Promise

/// What a decoded action refers to. Copies share it, so all become live together.
@usableFromInline
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

    /// Makes the link live, or notes why it can't be. A source that is created again makes it live once more.
    ///
    /// - Parameter declared: The action that the source declares under this name; nil if there is none.
    func resolve(in identifier: String, _ declared: (any DeclaredAction)?) {
        guard identifier == self.identifier else {
            // What its own source has made of it stays.
            return content.withLock { content in
                if case .unset = content { content = .problem(.wrongSource(self.identifier)) }
            }
        }
        content.exchange(
            for: declared.map { .live($0.declaration.body) } ?? .problem(.invalidMethod(name)))
    }

    func body<Input: Sendable>(for _: Input.Type) -> Result<ActionBody<Input>, ActionProblem> {
        switch content.withLock({ $0 }) {
        case .unset: .failure(.notSet)
        case .problem(let problem): .failure(problem)
        case .live(let body):
            (body as? ActionBody<Input>).map { .success($0) } ?? .failure(.invalidMethod(name))
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
                case .failure: SourceProblem.report(problem, .decoded(link), at: nil)
                }
            },
            execute: { input in
                switch link.body(for: Input.self) {
                case .success(let body): body.execute(input)
                case .failure(let problem): problem
                }
            })
    }
}
