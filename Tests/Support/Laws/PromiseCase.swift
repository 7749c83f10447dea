internal import PromisedTesting

/// A factory of equal promises, with a readable description.
struct Recipe<Subject>: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable () -> Subject
}

/// Creates the random values of one case.
struct PromiseCase<Subject, Value: Equatable & Sendable, Outcome: Equatable & Sendable> {
    typealias Continuation = LawFunction<Value, Recipe<Subject>>

    private let laws: PromiseLaws<Subject, Value, Outcome>
    private var random: LawRandom
    /// Few values, so that functions are often called with an input from their table.
    private let pool: [Value]

    init(_ laws: PromiseLaws<Subject, Value, Outcome>, _ random: inout LawRandom) {
        self.laws = laws
        pool = (0..<3).map { _ in laws.values(&random) }
        self.random = random
    }

    /// Hands the random numbers back; call it after the last value was created.
    func end(_ random: inout LawRandom) { random = self.random }

    mutating func value() -> Value { Self.value(&random, pool) }

    mutating func error() -> LawError { LawError(Int.random(in: 1...3, using: &random)) }

    mutating func promise() -> Recipe<Subject> { Self.promise(&random, laws, pool) }

    mutating func function() -> LawFunction<Value, Value> {
        LawFunction(&random, pool) { [pool] in Self.value(&$0, pool) }
    }

    mutating func continuation() -> Continuation {
        LawFunction(&random, pool) { [laws, pool] in Self.promise(&$0, laws, pool) }
    }

    mutating func recovery() -> LawFunction<LawError, Recipe<Subject>> {
        LawFunction(&random, (1...3).map(LawError.init)) { [laws, pool] in Self.promise(&$0, laws, pool) }
    }

    private static func value(_ random: inout LawRandom, _ pool: [Value]) -> Value {
        pool[Int.random(in: 0..<pool.count, using: &random)]
    }

    private static func promise(
        _ random: inout LawRandom, _ laws: PromiseLaws<Subject, Value, Outcome>, _ pool: [Value]
    ) -> Recipe<Subject> {
        switch (Int.random(in: 0..<8, using: &random), laws.fail, laws.work, laws.samples) {
        case (3...4, let fail?, _, _):
            let error = LawError(Int.random(in: 1...3, using: &random))
            return Recipe(description: "fail(\(error))") { fail(error) }
        case (5, _, let work?, _):
            let value = value(&random, pool)
            return Recipe(description: "work { \(value) }") { work { value } }
        case (6..., _, _, let samples?):
            let start = random
            // Creating a sample consumes random numbers, so each creation starts from the same ones.
            let description = "sample(\(laws.outcome(samples(&random))))"
            return Recipe(description: description) {
                var again = start
                return samples(&again)
            }
        default:
            let value = value(&random, pool)
            return Recipe(description: "pure(\(value))") { [pure = laws.pure] in pure(value) }
        }
    }
}
