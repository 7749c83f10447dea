extension Promise {
    /// A leading interim value: the value passed to `interim(_:)`, and the transforms that `map` has added since.
    @usableFromInline
    struct LeadingInterim: Sendable {
        let first: BoxContent
        let transforms: Transforms

        /// Returns the value; applies the transforms at every call, and throws what they throw.
        func callAsFunction() throws -> ValueBox<Value> { ValueBox(content: try transforms(first)) }
    }

    // Out of line to keep `map` small: most promises have no leading interim values.
    @usableFromInline
    static func leadingInterims<Output: Sendable>(
        _ leadingInterims: [LeadingInterim], _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> [Promise<Output>.LeadingInterim] {
        leadingInterims.map { .init(first: $0.first, transforms: $0.transforms.adding(transform)) }
    }
}

/// A list of transforms, applied in order.
///
/// Adding one works like incrementing a binary counter: two neighbours that stand for equally many transforms are
/// composed into one. So a million transforms are nested twenty levels deep, and neither applying nor releasing them
/// recurses deeper than that.
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
