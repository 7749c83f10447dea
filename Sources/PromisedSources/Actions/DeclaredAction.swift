/// An action of any input, as a source lists it in ``DecodableActionSource/decodableActions``. Only ``Action`` conforms
/// to it.
public protocol DeclaredAction: Sendable {
    /// The declared name; nil for an action that no source has declared.
    var name: String? { get }
    /// The place and the body, with which a source makes decoded actions live; only the library creates one.
    var declaration: ActionDeclaration { get }
}

/// The place and the body of an action, for its source.
public struct ActionDeclaration: Sendable {
    /// The link that a model has at the declared place.
    let link: (@Sendable (any Sendable) -> ActionLink?)?
    let body: any Sendable
}

extension Action: DeclaredAction {
    /// The name of the property that declares it; nil for an action that no source has declared.
    public var name: String? { if case .method(_, let name) = identity { name } else { nil } }
    /// The place and the body, with which a source makes decoded actions live.
    public var declaration: ActionDeclaration { ActionDeclaration(link: body.link, body: body) }
}
