/// Converts between an enum and the associated value of one of its cases, as a key path does for a property.
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
    /// Wraps a value in the case.
    public let embed: @Sendable (Value) -> Root
    /// Returns the associated value; nil for every other case.
    public let extract: @Sendable (Root) -> Value?
    /// Identifies the case as a part of the root value.
    @usableFromInline package let key: PartKey

    /// - Parameters:
    ///   - embed: Wraps a value in the case; usually the name of the case.
    ///   - extract: Returns the associated value, or nil for every other case. It must return what `embed` has wrapped.
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

    /// The case path from a value to itself.
    @inlinable
    public static func identity() -> CasePath where Root == Value {
        CasePath(embed: { $0 }, extract: { $0 }, key: .whole)
    }

    /// The path to a case of this case's associated value.
    @inlinable
    public func appending<Part>(_ inner: CasePath<Value, Part>) -> CasePath<Root, Part> {
        CasePath<Root, Part>(
            embed: { [embed] in embed(inner.embed($0)) },
            extract: { [extract] in extract($0).flatMap(inner.extract) }, key: key.appending(inner.key))
    }
}
