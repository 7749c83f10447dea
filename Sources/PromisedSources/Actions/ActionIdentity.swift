internal import Promise

/// The identity of an action: two with equal ones are the same action.
@usableFromInline
enum ActionIdentity: Sendable {
    /// An action of a source, by the source and the declared name.
    case method(ActionOwner, String)
    /// An action that was decoded, which may have become live.
    case decoded(ActionLink)
    /// An action of a closure, which is equal to its copies.
    case closure(ActionMark)
    case nothing, placeholder
}

/// The identity of a closure.
@usableFromInline
final class ActionMark: Sendable {}

extension ActionIdentity: Hashable {
    private enum Key: Hashable {
        /// A source that can be created again is the same one by its identifier.
        case named(String, String)
        case method(ObjectIdentifier, String)
        case closure(ObjectIdentifier)
        case nothing, placeholder
    }

    private var key: Key {
        switch self {
        case .method(let owner, let name):
            owner.identifier.map { .named($0, name) } ?? .method(ObjectIdentifier(owner), name)
        case .decoded(let link): .named(link.identifier, link.name)
        case .closure(let mark): .closure(ObjectIdentifier(mark))
        case .nothing: .nothing
        case .placeholder: .placeholder
        }
    }

    /// The link of a decoded action; nil for others.
    @usableFromInline var link: ActionLink? { if case .decoded(let link) = self { link } else { nil } }

    /// Whether it is an action of a source, which may have been decoded.
    @inlinable
    func isMethod(_ name: String, of owner: ActionOwner) -> Bool {
        if case .method(let other, let otherName) = self, other === owner { return otherName == name }
        return self == .method(owner, name)
    }

    @usableFromInline
    static func == (left: Self, right: Self) -> Bool {
        if case (.method(let one, let first), .method(let other, let second)) = (left, right), one === other {
            return first == second
        }
        return left.key == right.key
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ActionIdentity {
    /// Reports why the action did not succeed.
    ///
    /// - Parameter origin: Where it was declared; nil if that is not known.
    func report(_ problem: ActionProblem, at origin: Origin?) {
        PromiseDiagnostics.report(
            .init(
                problem: SourceProblem.action("\(self)", problem), origin: origin ?? Origin(#fileID, #line)))
    }
}
