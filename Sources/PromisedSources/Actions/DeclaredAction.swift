/// An action of any input, as a source lists it in ``DecodableActionSource/decodableActions``. Only ``Action`` conforms to
/// it.
public protocol DeclaredAction: Sendable {
    /// The declared name; nil for an action that no source has declared.
    var name: String? { get }
}

extension DeclaredAction {
    var anyBody: any Sendable { (self as? any BodyOwner)?.storedBody ?? () }
    /// The link that a model has at the declared place.
    func link(in model: some Sendable) -> ActionLink? {
        ((self as? any BodyOwner)?.storedBody as? any OriginalBody)?.link(in: model)
    }
}

protocol BodyOwner { var storedBody: any Sendable { get } }

/// A body that knows the declared place.
protocol OriginalBody { func link(in model: any Sendable) -> ActionLink? }

extension Action: DeclaredAction, BodyOwner {
    /// The name of the property that declares it; nil for an action that no source has declared.
    public var name: String? { if case .method(_, let name) = identity { name } else { nil } }
    var storedBody: any Sendable { body }
}

extension MethodBody: OriginalBody {
    func link(in model: any Sendable) -> ActionLink? {
        guard let model = model as? Source.Model, case .decoded(let link)? = place(model)?.identity else {
            return nil
        }
        return link
    }
}
