/// What tells one piece of work from another, and one kind of event from another: any hashable value.
///
/// ```swift
/// let search: EffectKey = "search"
/// let page = EffectKey(4)
/// print(search == "search", page == 5)
/// ```
public struct EffectKey: Sendable, Hashable, CustomStringConvertible {
    private let value: any Hashable & Sendable

    /// A key that equals another if their values do.
    public init(_ value: some Hashable & Sendable) { self.value = (value as? EffectKey)?.value ?? value }

    public static func == (left: EffectKey, right: EffectKey) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    public var description: String { "\(value)" }
}

extension EffectKey: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.value = value }
}

extension EffectKey: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.value = value }
}
