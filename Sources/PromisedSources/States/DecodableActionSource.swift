/// A ``StateSource`` whose actions are still the same after the model was encoded and decoded, also in another process.
public protocol DecodableActionSource: StateSource {
    /// Identifies the source among all whose models are stored, in each run of the program.
    var sourceIdentifier: String { get }

    /// The actions that a decoded model may contain, each as it is declared.
    var decodableActions: [any DeclaredAction] { get }
}

extension DecodableActionSource {
    /// Makes the decoded actions at the declared places live.
    public func adoptActions(in model: Model) {
        let declared = decodableActions
        for action in declared {
            guard let link = action.declaration.link?(model) else { continue }
            link.resolve(in: sourceIdentifier, state.owner(self), declared.first { $0.name == link.name })
        }
    }
}
