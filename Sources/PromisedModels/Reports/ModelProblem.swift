public import Promise
internal import PromisedSystem

/// The misuses of models that are reported to `PromiseDiagnostics`, once for each model. None of them stops the
/// program.
public enum ModelProblem: PromiseDiagnostics.Problem, Hashable {
    /// A model of this type wrote to a state that was removed, or whose store was released. The write was ignored.
    case writeToRemovedState(of: String)
    /// A derived property that was read for its observers wrote to the state of a model of this type. The write was
    /// ignored.
    case writeInDerivedProperty(of: String)
    /// A property was used as the state of a child, of the type that follows, that the model `of` does not list. The
    /// child began only then.
    case undeclaredChild(String, String, of: String)
    /// Two states of models of this type have one identity in a container. The second one has no model.
    case duplicateID(of: String)
    /// An `IdentifiedArray` has refused the state that was set for a model, because it has one of the same identity.
    /// What is refused elsewhere is a `SystemProblem`.
    case refusedElement(String, id: String)
    /// A container has an identity for which it has no state of a model of this type, or no longer, because an identity
    /// has changed without a write.
    case lostElement(of: String)
    /// A property of a model of this type was passed inout to an asynchronous function, and meanwhile something else
    /// has written on the store's scheduler. The function's value was written then.
    case suspendedWrite(of: String)
    /// A task was started by a model of this type whose state was removed. It does not run.
    case taskOfRemovedState(of: String)
    /// A task of a model of this type was cancelled, and then wrote, sent or began something: it was
    /// ignored. Reported in debug builds.
    case cancelledTask(of: String)
    /// A transaction was begun inside of another one, by a model of this type. It is a part of that one.
    case nestedTransaction(of: String)
    /// A model of this type was dismissed that its parent always has. Nothing was changed.
    case undismissable(String)

    /// One line of text, with the problem and its origin.
    public func description(at origin: Origin) -> String {
        let place = origin.line == 0 ? "" : " (at \(origin))"
        return text + place
    }

    private var text: String {
        switch self {
        case .writeToRemovedState(let model):
            "A \(model) wrote to its state, which was removed or whose store was released: the write was ignored. "
                + "Check isActive before, or end the work that writes when the model ends"
        case .writeInDerivedProperty(let model):
            "A derived property wrote to the state of a \(model): the write was ignored. Write in a method instead"
        case .undeclaredChild(let property, let child, let model):
            "The property \(property) of a \(model) was used as a child, a \(child), which the model does not list: it "
                + "began only now. Add it to `static let children` of \(model)"
        case .duplicateID(let model):
            "Two states of \(model) in one container have the same identity: the second one has no model. "
                + "Give each element an identity of its own"
        case .refusedElement(let element, let id):
            SystemProblem.refusedElement(element, id: id).description(at: Origin(place: 0))
        case .lostElement(let model):
            "A container of states of \(model) has an identity without a state: it has no model. "
                + "Return a state for every identity in elementIDs, and identities that are equal to themselves"
        case .suspendedWrite(let model):
            "A \(model) passed a property of its state inout to an asynchronous function, and others wrote meanwhile: the "
                + "function's value has replaced theirs. Pass a variable, and assign it to the state afterwards"
        case .taskOfRemovedState(let model):
            "A \(model) started a task, but its state was removed or its store was released: it does not run. "
                + "Check isActive before"
        case .cancelledTask(let model):
            "A task of a \(model) was cancelled, and wrote, sent or began something behind that: it was ignored. "
                + "Let it end when it is cancelled, and undo what it has done inside of cleanUp { … }"
        case .undismissable(let model):
            "A \(model) was dismissed, but its parent, or its store, always has it: nothing was changed. Declare it as "
                + "optional, as a case of an optional enum, or in a container"
        case .nestedTransaction(let model):
            "A \(model) began a transaction inside of another one: it is a part of that one. "
                + "Move the writes into one transaction, or let only the caller begin one"
        }
    }
}
