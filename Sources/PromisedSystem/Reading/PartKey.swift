/// Identifies a part of a value: two expressions of the same part have equal keys.
@usableFromInline
package struct PartKey: Hashable, Sendable {
    private enum KeyStep: Hashable, Sendable {
        case property(PathPart)
        /// An element of a collection, or with nil every element.
        case element(of: PathPart, locator: ObjectIdentifier, EffectKey?)
        case unwrapped
        /// A part defined by closures, which cannot be compared: equal only to its copies.
        case custom(Token)

        /// Both steps as one; nil if they cannot be joined.
        func joined(with inner: KeyStep) -> KeyStep? {
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
    private let steps: [KeyStep]

    private init(steps: [KeyStep]) { self.steps = steps }

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

    /// An element of a collection; with nil, every element.
    @usableFromInline
    static func element<Whole, Finder: ElementLocator>(
        _ id: (some Hashable & Sendable)?, of collection: any KeyPath<Whole, Finder.Container> & Sendable,
        foundBy locator: Finder.Type
    ) -> PartKey {
        PartKey(
            steps: [
                .element(
                    of: PathPart(collection), locator: ObjectIdentifier(locator), id.map { EffectKey($0) })
            ])
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

    /// An element of a collection that this key passes: the collection as a part of the whole, and the element's id,
    /// which is nil for every element.
    struct PassedElement: Sendable {
        let collection: PartKey
        let id: EffectKey?
    }

    /// The elements that this key passes, outermost first.
    var elements: [PassedElement] {
        steps.indices.compactMap { index in
            guard case .element(_, _, let id) = steps[index] else { return nil }
            return PassedElement(collection: PartKey(steps: Array(steps[...index])).ofEveryElement, id: id)
        }
    }

    /// This part of every element of the collections that this key passes.
    var ofEveryElement: PartKey {
        PartKey(
            steps: steps.map { step in
                guard case .element(let collection, let locator, _) = step else { return step }
                return .element(of: collection, locator: locator, nil)
            })
    }
}
