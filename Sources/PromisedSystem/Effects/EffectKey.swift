/// What tells one piece of work from another, and one kind of event from another: any hashable value.
///
/// ```swift
/// let search: EffectKey = "search"
/// let page = EffectKey(4)
/// print(search == "search", page == 5)
/// ```
public struct EffectKey: Sendable, Hashable, CustomStringConvertible {
    // Numbers and names are by far the most common, and compared without looking at their types.
    @usableFromInline
    enum Value: Sendable, Hashable {
        /// Of work that nobody has named.
        case none
        case number(Int)
        /// Of a revision that only differs from the one before.
        case count(Int)
        case name(String)
        // Behind a pointer, so that the others do not take up the room of it.
        indirect case other(Other)
    }

    @usableFromInline
    struct Other: Sendable, Hashable {
        @usableFromInline let value: any Hashable & Sendable

        @usableFromInline
        init(value: any Hashable & Sendable) { self.value = value }

        @usableFromInline
        static func == (left: Other, right: Other) -> Bool {
            AnyHashable(left.value) == AnyHashable(right.value)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }

    @usableFromInline let value: Value

    @usableFromInline
    init(value: Value) { self.value = value }

    /// The key of work that nobody has named: equal to no value's.
    @usableFromInline static let unnamed = EffectKey(value: .none)

    /// A revision that says nothing of the work but that it is new.
    @usableFromInline
    static func count(_ count: Int) -> EffectKey { EffectKey(value: .count(count)) }

    /// Whether it is one that only counts.
    var isCount: Bool { if case .count = value { true } else { false } }

    /// A key that equals another if their values do.
    @inlinable
    public init(_ value: some Hashable & Sendable) {
        self.value =
            switch value {
            case let key as EffectKey: key.value
            case let number as Int: .number(number)
            case let name as String: .name(name)
            default: .other(Other(value: value))
            }
    }

    /// The value, printed.
    public var description: String {
        switch value {
        case .none: "work without a key"
        case .number(let number), .count(let number): "\(number)"
        case .name(let name): name
        case .other(let other): "\(other.value)"
        }
    }
}

extension EffectKey: ExpressibleByStringLiteral {
    /// The key of a name.
    public init(stringLiteral value: String) { self.value = .name(value) }
}

extension EffectKey: ExpressibleByIntegerLiteral {
    /// The key of a number.
    public init(integerLiteral value: Int) { self.value = .number(value) }
}
