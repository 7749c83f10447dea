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

/// The same for several threads. Values are hashed and compared outside of the lock, as that may ask for a number in turn.
@usableFromInline
final class NumberTable<Value: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Content: Sendable {
        /// The first number of each hash, and the others of those few that have several.
        @usableFromInline var first: [Int: Int] = [:]
        @usableFromInline var others: [Int: [Int]] = [:]
        /// The values by their numbers.
        @usableFromInline var values: [Value] = []

        @inlinable
        init() {}

        /// A number of this hash above another; nil if there is none.
        @inlinable
        func number(of hash: Int, above last: Int) -> Int? {
            guard let first = first[hash] else { return nil }
            return first > last ? first : others[hash]?.first { $0 > last }
        }

        @inlinable
        mutating func add(_ value: Value, _ hash: Int) {
            if first[hash] == nil {
                first[hash] = values.count
            } else {
                others[hash, default: []].append(values.count)
            }
            values.append(value)
        }
    }

    @usableFromInline let content = Lock(Content())

    @inlinable
    init() {}

    @inlinable var values: [Value] { content.withLock { $0.values } }

    @inlinable
    func number(of value: Value) -> Int {
        let hash = value.hashValue
        // Up to this number, all of the hash were compared and are others.
        var last = -1
        while true {
            let (number, other) = content.withLock { content -> (Int, Value?) in
                if let number = content.number(of: hash, above: last) {
                    return (number, content.values[number])
                }
                content.add(value, hash)
                return (content.values.count - 1, nil)
            }
            guard let other, other != value else { return number }
            last = number
        }
    }
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
        let numbers = NumberTable<Value>()
        return Numbering(number: { numbers.number(of: $0) }, values: { numbers.values })
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
    private let numbers = NumberTable<Key>()

    @usableFromInline
    init() {}

    func number<Value: Hashable & Sendable>(of value: Value) -> Int {
        numbers.number(of: Key(value: value))
    }

    private struct Key: Hashable, Sendable {
        let value: any Hashable & Sendable

        static func == (left: Key, right: Key) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
        func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
    }
}
