internal import Promise

/// An action of a method of a source. It is executed if the present model has an action of the same identity at the
/// declared place.
final class MethodBody<Source: StateSource, Input: Sendable, Placed: Sendable>: ActionBody {
    private let owner: ActionOwner
    private let name: String
    private let method: @Sendable (Source) -> (Input) -> Void
    let place: @Sendable (Source.Model) -> Action<Placed>?
    private let origin: Origin

    init(
        _ owner: ActionOwner, _ name: String, _ method: @escaping @Sendable (Source) -> (Input) -> Void,
        _ place: @escaping @Sendable (Source.Model) -> Action<Placed>?, _ origin: Origin
    ) {
        (self.owner, self.name, self.method) = (owner, name, method)
        (self.place, self.origin) = (place, origin)
    }

    func execute(_ input: Input) -> ActionProblem? {
        let source = owner.source as? Source
        let problem: ActionProblem? =
            if let source { isOffered(by: source.model) ? nil : .expired } else { .sourceGone }
        // Before it is executed, so that calls are recorded in the order in which they are made.
        owner.log?.add(record(input, problem))
        if case nil = problem, let source { method(source)(input) }
        return problem
    }

    private func isOffered(by model: Source.Model) -> Bool {
        guard let placed = place(model) else { return false }
        return placed.identity == .method(owner, name)
    }

    func report(_ problem: ActionProblem, _ input: Input) {
        if owner.log?.publish(problem: record(input, problem)) ?? false { return }
        SourceProblem.report(problem, .method(owner, name), at: origin)
    }

    private func record(_ input: Input, _ problem: ActionProblem?) -> ActionCall {
        ActionCall(source: owner.name, action: name, input: input, problem: problem)
    }
}
