public import Promise

/// The problems of sources that are reported to `PromiseDiagnostics`.
public enum SourceProblem: PromiseDiagnostics.Problem {
    /// An action was called and not executed, or it has failed, and no ``ActionLog`` has a listener for that.
    case action(String, ActionProblem)
    /// The last source of a stored value was released, and the value could not be written.
    case unwritten(any Error)

    /// One line of text, with the problem and its origin.
    public func description(at origin: Origin) -> String {
        switch self {
        case .action(let name, let problem):
            "The action \(name), declared at \(origin), did not succeed: \(problem)"
        case .unwritten(let error): "A value was lost, as its last source was released: \(error)"
        }
    }

    static func reportUnwritten(_ error: any Error) {
        PromiseDiagnostics.report(
            .init(problem: SourceProblem.unwritten(error), origin: Origin(#fileID, #line)))
    }
}
