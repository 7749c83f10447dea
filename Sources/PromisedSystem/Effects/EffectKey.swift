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
        static func == (left: Other, right: Other) -> Bool { areEqual(left.value, right.value) }

        // Of two types only those with equal hashes may be equal: that is sure of classes alone, where one inherits
        // both from the other.
        @usableFromInline
        static func areEqual<Left: Hashable>(_ left: Left, _ right: any Hashable) -> Bool {
            if type(of: right) == Left.self { return left == right as? Left }
            return Left.self is AnyClass && type(of: right) is AnyClass
                && AnyHashable(left) == AnyHashable(right)
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

    /// A key that equals another if their values are of one type and equal. Numbers of the standard library equal each
    /// other whatever their types: `Int8(2)` and `UInt16(2)` are one key.
    @inlinable
    public init(_ value: some Hashable & Sendable) {
        self.value =
            switch value {
            case let key as EffectKey: key.value
            case let number as Int: .number(number)
            case let name as String: .name(name)
            default: Self.isNumber(type(of: value)) ? Self.number(value) : .other(Other(value: value))
            }
    }

    // Compared by their addresses, or by the compiler: that most types are none of these is to cost nothing.
    @inlinable
    static func isNumber<Value>(_ type: Value.Type) -> Bool {
        type == Int8.self || type == Int16.self || type == Int32.self || type == Int64.self
            || type == Int128.self || type == UInt.self || type == UInt8.self || type == UInt16.self
            || type == UInt32.self || type == UInt64.self || type == UInt128.self || type == Double.self
            || type == Float.self
    }

    /// In the smallest form that numbers of several types have in common.
    @usableFromInline
    static func number(_ value: some Hashable & Sendable) -> Value {
        if let number = value as? any BinaryInteger {
            if let small = Int(exactly: number) { return .number(small) }
            if let large = Int128(exactly: number) { return .other(Other(value: large)) }
            if let huge = UInt128(exactly: number) { return .other(Other(value: huge)) }
        } else if let number = value as? any BinaryFloatingPoint {
            if let small = Int(exactly: number) { return .number(small) }
            if let large = Int128(exactly: number) { return .other(Other(value: large)) }
            if let huge = UInt128(exactly: number) { return .other(Other(value: huge)) }
            return .other(Other(value: Double(number)))
        }
        return .other(Other(value: value))
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
