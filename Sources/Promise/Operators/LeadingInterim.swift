extension Promise {
    /// An interim value at the very start: what was put there, and the transforms that `map` has added since.
    @usableFromInline
    enum LeadingInterim: Sendable {
        case value(ValueBox<Value>)
        indirect case mapped(from: BoxContent, by: Transforms)
    }
}

extension Promise {
    // Out of line: `map` without such values, which is most of them, is to stay small.
    @usableFromInline
    static func leadingInterims<Output: Sendable>(
        _ leadingInterims: [LeadingInterim], _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> [Promise<Output>.LeadingInterim] {
        leadingInterims.map { $0.map(transform) }
    }
}

extension Promise.LeadingInterim {
    /// The value; applies the transforms each time.
    @usableFromInline
    func callAsFunction() throws -> ValueBox<Value> {
        switch self {
        case .value(let box): box
        case .mapped(let first, let transforms): ValueBox(content: try transforms(first))
        }
    }

    func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Promise<Output>.LeadingInterim {
        switch self {
        case .value(let box): .mapped(from: box.content, by: Transforms().adding(transform))
        case .mapped(let first, let transforms): .mapped(from: first, by: transforms.adding(transform))
        }
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
        let apply: @Sendable (BoxContent) throws -> BoxContent
    }

    /// Larger ones first.
    private var parts: [Composed] = []

    init() {}

    func callAsFunction(_ value: BoxContent) throws -> BoxContent {
        try parts.reduce(value) { try $1.apply($0) }
    }

    /// - Parameter transform: Takes what those before it give.
    func adding<Value: Sendable, Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Transforms {
        var new = Composed(count: 1) { ValueBox(try transform(ValueBox<Value>(content: $0).value)).content }
        var result = self
        while let last = result.parts.last, last.count == new.count {
            result.parts.removeLast()
            new = Composed(count: 2 * last.count) { [new] in try new.apply(last.apply($0)) }
        }
        result.parts.append(new)
        return result
    }
}
