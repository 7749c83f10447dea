extension Promise {
    /// A leading interim value: the value passed to `interim(_:)`, and the transforms that `map` has added since.
    @usableFromInline
    enum LeadingInterim: Sendable {
        case value(ValueBox<Value>)
        indirect case mapped(from: BoxContent, by: Transforms)
    }
}

extension Promise {
    // Out of line to keep `map` small: most promises have no leading interim values.
    @usableFromInline
    static func leadingInterims<Output: Sendable>(
        _ leadingInterims: [LeadingInterim], _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> [Promise<Output>.LeadingInterim] {
        leadingInterims.map { $0.map(transform) }
    }
}

extension Promise.LeadingInterim {
    /// Returns the value; applies the transforms at every call, and throws what they throw.
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

/// A list of transforms, applied in order.
///
/// Adding one works like incrementing a binary counter: two neighbours that stand for equally many transforms are
/// composed into one. So a million transforms are nested twenty levels deep, and neither applying nor releasing them
/// recurses deeper than that.
@usableFromInline
struct Transforms: Sendable {
    private struct Composed: Sendable {
        let count: Int
        let apply: @Sendable (BoxContent) throws -> BoxContent
    }

    /// In the order of application, with strictly decreasing counts.
    private var parts: [Composed] = []

    init() {}

    func callAsFunction(_ value: BoxContent) throws -> BoxContent {
        try parts.reduce(value) { try $1.apply($0) }
    }

    /// Returns these transforms followed by `transform`, whose input is the output of the last one.
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
