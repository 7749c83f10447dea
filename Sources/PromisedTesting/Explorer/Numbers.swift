/// Gives equal values one number: to compare two moments of a system is then to compare numbers.
struct Numbers<Value: Hashable> {
    private var numbers: [Value: Int] = [:]
    /// The values by their numbers.
    private(set) var values: [Value] = []

    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }
}

/// Numbers for values of any types.
struct WorldNumbers {
    private var numbers = Numbers<AnyHashable>()

    mutating func number(of value: some Hashable) -> Int { numbers.number(of: AnyHashable(value)) }
}
