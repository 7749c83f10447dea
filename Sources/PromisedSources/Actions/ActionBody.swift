internal import Promise

/// What an action executes.
protocol ActionBody<Input>: Sendable {
    associatedtype Input: Sendable

    /// - Returns: Why it was not executed, or what it has thrown; nil if it was executed.
    func execute(_ input: Input) -> ActionProblem?

    /// Publishes a problem in the log of the action's source, or reports it where nothing listens.
    func report(_ problem: ActionProblem, _ input: Input)
}

struct EmptyBody<Input: Sendable>: ActionBody {
    let problem: ActionProblem?

    func execute(_ input: Input) -> ActionProblem? { problem }
    func report(_ problem: ActionProblem, _ input: Input) {
        SourceProblem.report(problem, .placeholder, at: nil)
    }
}

struct ClosureBody<Input: Sendable>: ActionBody {
    let mark = ActionMark()
    let origin: Origin
    let run: @Sendable (Input) throws -> Void

    func execute(_ input: Input) -> ActionProblem? {
        do {
            try run(input)
            return nil
        } catch { return .failed(error) }
    }

    func report(_ problem: ActionProblem, _ input: Input) {
        SourceProblem.report(problem, .closure(mark), at: origin)
    }
}

struct MappedBody<Input: Sendable, Base: Sendable>: ActionBody {
    let base: any ActionBody<Base>
    let transform: @Sendable (Input) -> Base

    func execute(_ input: Input) -> ActionProblem? { base.execute(transform(input)) }
    func report(_ problem: ActionProblem, _ input: Input) { base.report(problem, transform(input)) }
}
