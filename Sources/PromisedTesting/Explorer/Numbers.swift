public import Promise

/// Gives equal values one number: to compare two moments of a system is then to compare numbers.
@usableFromInline
struct Numbers<Value: Hashable> {
    @usableFromInline var numbers: [Value: Int] = [:]
    /// The values by their numbers.
    @usableFromInline var values: [Value] = []

    @inlinable
    init() {}

    @inlinable
    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }
}

extension Numbers {
    /// Whether a value has its number already.
    func knows(_ value: Value) -> Bool { numbers[value] != nil }
}

extension Numbers: Sendable where Value: Sendable {}

/// The numbers of the states or the events of one exploration.
@usableFromInline
struct Numbering<Value: Sendable>: Sendable {
    @usableFromInline let number: @Sendable (Value) -> Int
    @usableFromInline let values: @Sendable () -> [Value]

    /// Equal values have one number.
    @inlinable
    static func byEquality() -> Numbering where Value: Hashable {
        let numbers = Lock(Numbers<Value>())
        return Numbering(
            number: { value in numbers.withLock { $0.number(of: value) } },
            values: { numbers.withLock { $0.values } })
    }

    /// Each value has its own.
    @inlinable
    static func byAge() -> Numbering {
        let all = Lock<[Value]>([])
        return Numbering(
            number: { value in
                all.withLock { all in
                    all.append(value)
                    return all.count - 1
                }
            }, values: { all.withLock { $0 } })
    }

    /// All are one, and none is kept.
    @inlinable
    static func none() -> Numbering { Numbering(number: { _ in 0 }, values: { [] }) }

    @usableFromInline
    init(number: @escaping @Sendable (Value) -> Int, values: @escaping @Sendable () -> [Value]) {
        (self.number, self.values) = (number, values)
    }
}

/// Numbers for values of any types, for all worlds of one exploration.
@usableFromInline
final class WorldNumbers: Sendable {
    private let numbers = Lock(Numbers<Key>())

    @usableFromInline
    init() {}

    func number<Value: Hashable & Sendable>(of value: Value) -> Int {
        numbers.withLock { $0.number(of: Key(value: value)) }
    }

    private struct Key: Hashable, Sendable {
        let value: any Hashable & Sendable

        static func == (left: Key, right: Key) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
        func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
    }
}
