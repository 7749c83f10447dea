/// The way from an enum to what one of its cases holds, and back.
///
/// ```swift
/// enum Event { case search(String), clear }
///
/// let search = CasePath(embed: Event.search) { event in
///     if case .search(let text) = event { text } else { nil }
/// }
/// print(search.extract(.search("tea")) ?? "nothing", search.extract(.clear) ?? "nothing")
/// ```
public struct CasePath<Root: Sendable, Value: Sendable>: Sendable {
    /// Makes the case of a value.
    public let embed: @Sendable (Value) -> Root
    /// The value, if it is this case; else nil.
    public let extract: @Sendable (Root) -> Value?
    /// Which part of the root the value is.
    @usableFromInline let key: PartKey

    /// - Parameters:
    ///   - embed: Makes the case of a value: most often the name of the case.
    ///   - extract: The value, if it is this case. What was embedded is extracted again.
    @inlinable
    public init(
        embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?
    ) {
        self.init(embed: embed, extract: extract, key: .custom())
    }

    @inlinable
    init(
        embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?,
        key: PartKey
    ) {
        (self.embed, self.extract, self.key) = (embed, extract, key)
    }

    /// Everything as it is.
    @inlinable
    public static func identity() -> CasePath where Root == Value {
        CasePath(embed: { $0 }, extract: { $0 }, key: .whole)
    }

    /// A case inside this one.
    @inlinable
    public func appending<Part>(_ inner: CasePath<Value, Part>) -> CasePath<Root, Part> {
        CasePath<Root, Part>(
            embed: { [embed] in embed(inner.embed($0)) },
            extract: { [extract] in extract($0).flatMap(inner.extract) }, key: key.appending(inner.key))
    }
}
