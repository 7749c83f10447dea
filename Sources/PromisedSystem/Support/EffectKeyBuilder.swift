/// Makes a key of the hashable value that a closure returns, such as `key: { $0.id }` or `key: { "row \($0)" }`. In a
/// closure with a `return`, write `EffectKey(_:)`.
@resultBuilder
public enum EffectKeyBuilder: Sendable {
    /// The key of a value: a number, a text, an identity.
    @inlinable
    public static func buildExpression(_ value: some Hashable & Sendable) -> EffectKey { EffectKey(value) }

    /// The only statement of a closure.
    @inlinable
    public static func buildBlock(_ key: EffectKey) -> EffectKey { key }

    /// The first branch of a condition.
    @inlinable
    public static func buildEither(first key: EffectKey) -> EffectKey { key }

    /// The second branch of a condition.
    @inlinable
    public static func buildEither(second key: EffectKey) -> EffectKey { key }
}
