public import Promise
internal import PromisedSystem
internal import Synchronization

/// Counts the values that have got numbers, in all tables of one exploration together.
@usableFromInline
final class ValueCount: Sendable {
    private let values = Atomic(0)
    private let sizes = Atomic(0)
    private let frozen = Atomic(false)
    private let irreflexive = Lock<Set<String>>([])

    @usableFromInline
    init() {}

    /// The types of which a value is not equal to itself, as NaN is not, so that it gets a new number each time.
    var irreflexiveTypes: Set<String> { irreflexive.withLock { $0 } }

    @usableFromInline
    func noteIrreflexive(_ type: Any.Type) { irreflexive.withLock { _ = $0.insert("\(type)") } }

    var count: Int { values.load(ordering: .relaxed) }
    /// The size of the tables: for each value its stride, and its entry by hash.
    var bytes: Int { sizes.load(ordering: .relaxed) }

    /// Whether further values get no numbers.
    @usableFromInline var isFrozen: Bool { frozen.load(ordering: .relaxed) }

    @usableFromInline
    func add(stride: Int) {
        values.wrappingAdd(1, ordering: .relaxed)
        sizes.wrappingAdd(stride + 2 * MemoryLayout<Int>.stride, ordering: .relaxed)
    }

    /// Runs `body`. Values that are new meanwhile have the number -1, and are not retained.
    func frozen(_ body: () -> Void) {
        let before = frozen.exchange(true, ordering: .relaxed)
        body()
        frozen.store(before, ordering: .relaxed)
    }
}

/// Assigns equal values the same number, so that comparing configurations is comparing numbers.
///
/// Values are hashed and compared outside the lock, because `hash(into:)` and `==` may call back into the table.
@usableFromInline
final class NumberTable<Value: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Tables: Sendable {
        /// The numbers at the places of their hashes or behind those, in ascending order for each hash; -1 is free. At
        /// most half of the places are taken, whose number is a power of two.
        @usableFromInline var places: [Int32] = Array(repeating: -1, count: 64)
        /// The values and their hashes by their numbers.
        @usableFromInline var values: [Value] = []
        @usableFromInline var hashes: [Int] = []

        @inlinable
        init() {}

        /// The next number of this hash above `last`; nil if there is none.
        @inlinable
        func number(of hash: Int, above last: Int) -> Int? {
            var place = hash & (places.count - 1)
            while places[place] >= 0 {
                let number = Int(places[place])
                if number > last, hashes[number] == hash { return number }
                place = (place + 1) & (places.count - 1)
            }
            return nil
        }

        @inlinable
        mutating func add(_ value: Value, _ hash: Int) {
            values.append(value)
            hashes.append(hash)
            if 2 * values.count <= places.count { return place(values.count - 1) }
            places = Array(repeating: -1, count: 2 * places.count)
            for number in values.indices { place(number) }
        }

        @inlinable
        mutating func place(_ number: Int) {
            var place = hashes[number] & (places.count - 1)
            while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
            places[place] = Int32(number)
        }
    }

    @usableFromInline let content = Lock(Tables())
    @usableFromInline let count: ValueCount
    @usableFromInline let type: @Sendable (Value) -> Any.Type

    /// - Parameter type: The type of a value, for reports.
    @inlinable
    init(_ count: ValueCount, type: @escaping @Sendable (Value) -> Any.Type = { _ in Value.self }) {
        (self.count, self.type) = (count, type)
    }

    @inlinable var values: [Value] { content.withLock { $0.values } }

    @inlinable
    func value(_ number: Int) -> Value { content.withLock { $0.values[number] } }

    /// Whether a value has a number.
    func isKnown(_ value: Value) -> Bool { number(of: value, adds: false) >= 0 }

    /// - Parameter adds: Whether a new value gets a number; without one, it has the number -1.
    @inlinable
    func number(of value: Value, adds: Bool = true) -> Int {
        let hash = value.hashValue
        // The values of this hash up to this number were compared, and differ.
        var last = -1
        while true {
            let (number, other) = content.withLock { content -> (Int, Value?) in
                if let number = content.number(of: hash, above: last) {
                    return (number, content.values[number])
                }
                if !adds || count.isFrozen { return (-1, nil) }
                content.add(value, hash)
                count.add(stride: MemoryLayout<Value>.stride)
                return (content.values.count - 1, nil)
            }
            guard let other else {
                if number >= 0, value != value { count.noteIrreflexive(type(value)) }
                return number
            }
            if other == value { return number }
            last = number
        }
    }
}

/// The numbering of the states or of the events of one exploration.
@usableFromInline
struct Numbering<Value: Sendable>: Sendable {
    @usableFromInline let number: @Sendable (Value) -> Int
    @usableFromInline let values: @Sendable () -> [Value]
    /// Returns the value with a number; nil where equal numbers do not mean equal values.
    @usableFromInline let value: (@Sendable (Int) -> Value)?

    /// Equal values have the same number.
    @inlinable
    static func byEquality(_ count: ValueCount) -> Numbering where Value: Hashable {
        let numbers = NumberTable<Value>(count)
        return Numbering(
            number: { numbers.number(of: $0) }, values: { numbers.values }, value: { numbers.value($0) })
    }

    /// Each value gets a new number, equal or not.
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

    /// All values have the number 0, and none is retained.
    @inlinable
    static func none() -> Numbering { Numbering(number: { _ in 0 }, values: { [] }) }

    @usableFromInline
    init(
        number: @escaping @Sendable (Value) -> Int, values: @escaping @Sendable () -> [Value],
        value: (@Sendable (Int) -> Value)? = nil
    ) {
        (self.number, self.values, self.value) = (number, values, value)
    }
}

/// Numbers for values of any type, shared by all worlds of one exploration.
@usableFromInline
final class WorldNumbers: Sendable {
    private let numbers: NumberTable<TypedValue>
    // Tables of their own, as values of any type take long to compare. Nowhere in a configuration can one stand for another.
    private let keys: NumberTable<EffectKey>
    private let names: NumberTable<String>

    @usableFromInline
    init(_ count: ValueCount) {
        numbers = NumberTable(count) { Swift.type(of: $0.value) }
        (keys, names) = (NumberTable(count), NumberTable(count))
    }

    func number(of key: EffectKey) -> Int { keys.number(of: key) }
    /// Whether a key has a number.
    func knows(_ key: EffectKey) -> Bool { keys.isKnown(key) }
    func number(ofCall name: String) -> Int { names.number(of: name) }

    func number<Value: Hashable & Sendable>(of value: Value) -> Int {
        numbers.number(of: TypedValue(value: value, hash: value.hashValue))
    }

    /// The value with a number.
    func value(_ number: Int) -> any Sendable { numbers.value(number).value }

    /// A value for a reader, by its number; nil for one that cannot be compared.
    func text(_ number: Int) -> String? { number < 0 ? nil : StateText(value(number)).description }

    /// The number of a value of any type: a new one for each value that is not `Hashable`.
    func number(ofAny value: any Sendable, orElse noteIncomparable: () -> Void) -> Int {
        if let hashable = value as? any Hashable {
            return numbers.number(of: TypedValue(value: value, hash: hashable.hashValue))
        }
        noteIncomparable()
        return -1 - incomparable.wrappingAdd(1, ordering: .relaxed).newValue
    }

    private let incomparable = Atomic(0)

    /// A value that is `Hashable`.
    private struct TypedValue: Hashable, Sendable {
        let value: any Sendable
        /// Of the value: to look it up at run time takes longer than to compute it.
        let hash: Int

        // `AnyHashable` takes 1 and 1.0 to be equal.
        static func == (left: TypedValue, right: TypedValue) -> Bool {
            guard left.hash == right.hash, type(of: left.value) == type(of: right.value),
                let value = left.value as? any Hashable
            else { return false }
            return isEqual(value, right.value)
        }

        private static func isEqual<Value: Hashable>(_ value: Value, _ other: any Sendable) -> Bool {
            // Unwrapped first: the comparison of two optionals looks up their types.
            if let other = other as? Value { other == value } else { false }
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }
}
