/// Why an action was not executed, or what its execution has thrown.
public enum ActionProblem: Error, CustomStringConvertible {
    /// The present model of the action's source does not offer it any more.
    case expired
    /// The source of the action has been released.
    case sourceGone
    /// The action was decoded from a model of another source, with this identifier.
    case wrongSource(String)
    /// The source has no action of this name, or one with another input.
    case invalidMethod(String)
    /// The action was decoded, and no source has been set to the model that contains it.
    case notSet
    /// The action is a placeholder.
    case placeholder
    /// The closure of the action has thrown an error.
    case failed(any Error)

    /// The problem in a few words.
    public var description: String {
        switch self {
        case .expired: "the present model of its source does not offer it any more"
        case .sourceGone: "its source has been released"
        case .wrongSource(let identifier):
            "it was decoded from a model of another source, whose identifier is \"\(identifier)\""
        case .invalidMethod(let name): "its source has no action \"\(name)\" with this input"
        case .notSet: "it was decoded, and its source has not been set to the model that contains it"
        case .placeholder: "it is a placeholder: use .doNothing for an action that may be called"
        case .failed(let error): "it failed: \(error)"
        }
    }
}
