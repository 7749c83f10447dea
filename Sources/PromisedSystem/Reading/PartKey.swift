/// Identifies a part of a value: two expressions of the same part have equal keys.
@usableFromInline
package struct PartKey: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case property(PathPart)
        case element(of: PathPart, locator: ObjectIdentifier, EffectKey)
        case unwrapped
        /// A part defined by closures, which cannot be compared: equal only to its copies.
        case custom(Token)

        /// Both steps as one; nil if they cannot be joined.
        func joined(with inner: Step) -> Step? {
            guard case .property(let path) = self else { return nil }
            switch inner {
            case .property(let property): return path.appending(property).map { .property($0) }
            case .element(let collection, let locator, let id):
                return path.appending(collection).map { .element(of: $0, locator: locator, id) }
            case .unwrapped, .custom: return nil
            }
        }
    }

    private final class Token: Hashable, Sendable {
        static func == (left: Token, right: Token) -> Bool { left === right }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    // From the whole to the part. The whole, and a key appended to it, allocate no array.
    private let steps: [Step]

    private init(steps: [Step]) { self.steps = steps }

    /// The whole value.
    @usableFromInline static let whole = PartKey(steps: [])

    /// The wrapped value of an optional.
    static let unwrapped = PartKey(steps: [.unwrapped])

    /// A part defined by closures: equal only to copies of this key.
    @usableFromInline
    static func custom() -> PartKey { PartKey(steps: [.custom(Token())]) }

    /// A property.
    @usableFromInline
    static func property<Whole, Member>(_ path: any KeyPath<Whole, Member> & Sendable) -> PartKey {
        PartKey(steps: [.property(PathPart(path))])
    }

    /// An element of a collection.
    @usableFromInline
    static func element<Whole, Finder: ElementLocator>(
        _ id: some Hashable & Sendable, of collection: any KeyPath<Whole, Finder.Container> & Sendable,
        foundBy locator: Finder.Type
    ) -> PartKey {
        PartKey(
            steps: [.element(of: PathPart(collection), locator: ObjectIdentifier(locator), EffectKey(id))])
    }

    /// A part of this part.
    @usableFromInline
    func appending(_ inner: PartKey) -> PartKey {
        guard let last = steps.last else { return inner }
        guard let first = inner.steps.first else { return self }
        // Normalized, so that a key path and the same path in two steps give equal keys.
        if let joined = last.joined(with: first) {
            return PartKey(steps: steps.dropLast() + [joined] + inner.steps.dropFirst())
        }
        return PartKey(steps: steps + inner.steps)
    }
}
