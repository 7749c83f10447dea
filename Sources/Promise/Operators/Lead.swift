extension Promise {
    /// An interim value at the very start: what was put there, and the transforms that `map` has added since.
    @usableFromInline
    enum Lead: Sendable {
        case value(Value)
        indirect case mapped(from: any Sendable, by: Transforms)
    }
}

extension Promise {
    // Out of line: `map` without such values, which is most of them, is to stay small.
    @usableFromInline
    static func leads<Output: Sendable>(
        _ leads: [Lead], _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> [Promise<Output>.Lead] {
        leads.map { $0.map(transform) }
    }
}

extension Promise.Lead {
    /// The value; applies the transforms each time.
    @usableFromInline
    func callAsFunction() throws -> Value {
        switch self {
        case .value(let value): value
        case .mapped(let first, let transforms): try Box.unwrap(transforms(first))
        }
    }

    func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Promise<Output>.Lead {
        switch self {
        case .value(let value): .mapped(from: Box(value: value), by: Transforms().adding(transform))
        case .mapped(let first, let transforms): .mapped(from: first, by: transforms.adding(transform))
        }
    }
}

/// A value without its type. A struct of its own, as a cast of the plain value would look through optionals.
private struct Box<Value: Sendable>: Sendable {
    let value: Value

    /// The value of a box that is known to be one of this type.
    static func unwrap(_ box: any Sendable) -> Value {
        guard let box = box as? Box else { preconditionFailure("A transform of \(Value.self) got \(box).") }
        return box.value
    }
}

/// Transforms to be applied one after the other.
///
/// Each is composed with those before it as a binary counter adds one: two that stand for equally many become one.
/// So a million of them are nested twenty deep, and neither applying nor releasing them recurses deeper than that.
@usableFromInline
struct Transforms: Sendable {
    private struct Composed: Sendable {
        let count: Int
        let apply: @Sendable (any Sendable) throws -> any Sendable
    }

    /// Larger ones first.
    private var parts: [Composed] = []

    init() {}

    func callAsFunction(_ value: any Sendable) throws -> any Sendable {
        try parts.reduce(value) { try $1.apply($0) }
    }

    func adding<Value: Sendable, Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Transforms {
        var new = Composed(count: 1) { Box(value: try transform(Box.unwrap($0))) }
        var result = self
        while let last = result.parts.last, last.count == new.count {
            result.parts.removeLast()
            new = Composed(count: 2 * last.count) { [new] in try new.apply(last.apply($0)) }
        }
        result.parts.append(new)
        return result
    }
}
