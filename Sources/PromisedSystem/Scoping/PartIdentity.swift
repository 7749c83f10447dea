/// Tells a part of a state from one that takes its place: its `id`, if its type is `Identifiable`, and those of the
/// parts that contain it. Parts of other types are the same as long as one is present.
///
/// Unchecked because an id need not be sendable: it belongs to a state, which is, and it is only compared.
@usableFromInline
struct PartIdentity: Equatable, @unchecked Sendable {
    private let id: AnyHashable?
    /// The identities of the parts that contain it, outermost first; empty if none has an id.
    private var outer: [AnyHashable] = []

    private init(_ id: AnyHashable?) { self.id = id }

    /// Of parts without an identity.
    static let none = PartIdentity(nil)

    init<Part>(of part: Part) {
        self.init(Part.self is any Identifiable.Type ? (part as? any Identifiable)?.anyID : nil)
    }

    /// The identity of a part that may be absent; nil if it is.
    init?<Part>(ofPresent part: Part) {
        guard Part.self is any OptionalPart.Type, let part = part as? any OptionalPart else {
            self.init(of: part)
            return
        }
        guard let identity = part.identity else { return nil }
        self = identity
    }

    /// Whether a part of this type, or its wrapped value, has an id.
    static func isKept(by part: (some Any).Type) -> Bool {
        part is any Identifiable.Type || (part as? any OptionalPart.Type)?.hasIdentity == true
    }

    /// The identity of the innermost of three parts, each inside the one before it: nil if one is absent.
    ///
    /// - Parameters:
    ///   - outer: Nil if no part around the middle one has an id.
    ///   - inner: Nil if no part inside of the middle one has an id.
    static func nested(_ outer: PartIdentity??, _ middle: PartIdentity?, _ inner: PartIdentity??)
        -> PartIdentity?
    {
        guard let outer = outer ?? PartIdentity.none, let middle, let inner = inner ?? PartIdentity.none
        else {
            return nil
        }
        return inner.inside(middle.inside(outer))
    }

    /// The identity of this part inside another one.
    func inside(_ whole: PartIdentity) -> PartIdentity {
        guard !whole.outer.isEmpty || whole.id != nil else { return self }
        var inner = self
        inner.outer = whole.outer + [whole.id ?? AnyHashable(false)] + outer
        return inner
    }
}

extension Identifiable {
    fileprivate var anyID: AnyHashable { AnyHashable(id) }
}

private protocol OptionalPart {
    static var hasIdentity: Bool { get }
    var identity: PartIdentity? { get }
}

extension Optional: OptionalPart {
    static var hasIdentity: Bool { PartIdentity.isKept(by: Wrapped.self) }
    var identity: PartIdentity? { flatMap { PartIdentity(ofPresent: $0) } }
}

extension Scope {
    /// The value of ``outer`` for an optional whole.
    @usableFromInline var outerOfOptional: (@Sendable (State?) -> PartIdentity?)? {
        guard let outer else { return nil }
        return { $0.flatMap(outer) }
    }

    /// Reads the identity of the parts between a whole and this part, which has the scope ``inner``; nil if no part
    /// between them has an id.
    @usableFromInline
    func outerIdentity<Part, PartEvent>(
        of inner: Scope<Local, LocalEvent, Part, PartEvent>
    ) -> (@Sendable (State) -> PartIdentity?)? {
        guard outer != nil || inner.outer != nil || PartIdentity.isKept(by: Local.self) else { return nil }
        return { [get, outer] whole in
            let local = get(whole)
            return PartIdentity.nested(
                outer.map { $0(whole) }, PartIdentity(ofPresent: local), inner.outer.map { $0(local) })
        }
    }
}
