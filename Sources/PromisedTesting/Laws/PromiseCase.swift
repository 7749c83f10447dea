/// A promise that can be made any number of times, and read.
struct Recipe<Subject>: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable () -> Subject
}

/// The random values of one case.
struct PromiseCase<Subject, Value: Equatable & Sendable, Outcome: Equatable & Sendable> {
    typealias Continuation = LawFunction<Value, Recipe<Subject>>

    private let laws: PromiseLaws<Subject, Value, Outcome>
    private var random: LawRandom
    /// Few, so that functions are often called with what they know.
    private let pool: [Value]

    init(_ laws: PromiseLaws<Subject, Value, Outcome>, _ random: inout LawRandom) {
        self.laws = laws
        pool = (0..<3).map { _ in laws.values(&random) }
        self.random = random
    }

    /// To be called last: what was random about the case.
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
            // To make it is to go on in the random numbers; it is made anew each time.
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
