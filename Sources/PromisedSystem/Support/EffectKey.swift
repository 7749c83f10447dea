/// Identifies a piece of work, a revision of it, or a kind of event. It can be any hashable value.
///
/// ```swift
/// let search: EffectKey = "search"
/// let page = EffectKey(4)
/// print(search == "search", page == 5)
/// ```
public struct EffectKey: Sendable, Hashable, CustomStringConvertible {
    // Integers and strings are by far the most common keys; their own cases compare without a dynamic type check.
    @usableFromInline
    enum Value: Sendable, Hashable {
        /// Stands for work that was given no key.
        case none
        case number(Int)
        /// A revision without a value: it only has to differ from the previous one.
        case count(Int)
        case name(String)
        // Indirect, so that its size does not enlarge the other cases.
        indirect case other(Other)
    }

    @usableFromInline
    struct Other: Sendable, Hashable {
        @usableFromInline let value: any Hashable & Sendable

        @usableFromInline
        init(value: any Hashable & Sendable) { self.value = value }

        @usableFromInline
        static func == (left: Other, right: Other) -> Bool { areEqual(left.value, right.value) }

        // Values of different types must not be equal unless their hashes are. That is only guaranteed for classes,
        // where one class inherits both `==` and `hash(into:)` from the other.
        @usableFromInline
        static func areEqual<Left: Hashable>(_ left: Left, _ right: any Hashable) -> Bool {
            if type(of: right) == Left.self, let right = right as? Left {
                // NaN is not equal to itself, but has to be found again.
                return left == right || left.hashValue == right.hashValue && haveSameBits(left, right)
            }
            return Left.self is AnyClass && type(of: right) is AnyClass
                && AnyHashable(left) == AnyHashable(right)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }

    @usableFromInline let value: Value

    @usableFromInline
    init(value: Value) { self.value = value }

    /// The key of work that was given none. It is not equal to the key of any value.
    @usableFromInline static let unnamed = EffectKey(value: .none)
    package var isUnnamed: Bool { self == .unnamed }

    /// A revision without a value, which only distinguishes a request from the previous one.
    static func count(_ count: Int) -> EffectKey { EffectKey(value: .count(count)) }

    /// A revision that always restarts the work: the registry does not compare it with the current one.
    static let restart = count(-1)

    /// Whether this is a revision made by ``count(_:)``.
    var isCount: Bool { if case .count = value { true } else { false } }

    /// Creates a key from a value. Two keys are equal if their values are equal and of the same type. Integers and
    /// floating-point numbers are compared by value, whatever their types: `Int8(2)` and `UInt16(2)` are one key, and
    /// NaN is one as well.
    @inlinable
    public init(_ value: some Hashable & Sendable) {
        self.value =
            switch value {
            case let key as EffectKey: key.value
            case let number as Int: .number(number)
            case let name as String: .name(name)
            // Decided at compile time in specialised code.
            default: type(of: value) is any Numeric.Type ? Self.number(value) : .other(Other(value: value))
            }
    }

    /// Normalizes a number to the smallest representation that number types share, so that equal numbers make equal
    /// keys.
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
            if number.isNaN { return .other(Other(value: Double.nan)) }
            if let double = Double(exactly: number) { return .other(Other(value: double)) }
        }
        return .other(Other(value: value))
    }

    /// The description of the value; "work without a key" if there is none.
    public var description: String {
        switch value {
        case .none: "work without a key"
        case .number(let number), .count(let number): "\(number)"
        case .name(let name): name
        case .other(let other): ValueText(event: other.value).description
        }
    }
}

extension EffectKey: ExpressibleByStringInterpolation {
    /// Creates a key from a string literal, which may contain values: `"row \(id)"`.
    public init(stringLiteral value: String) { self.value = .name(value) }
}

extension EffectKey: ExpressibleByIntegerLiteral {
    /// Creates a key from an integer literal.
    public init(integerLiteral value: Int) { self.value = .number(value) }
}
