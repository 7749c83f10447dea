import PromisedSystem

/// A property that holds for all values, tested with random ones.
///
/// ```swift
/// import PromisedTesting
///
/// let reversed = Law("reversed twice", "a.reversed().reversed() is a") { random in
///     let a = (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0...9, using: &random) }
///     return .unless(a.reversed().reversed(), a, ["a": a])
/// }
/// checkLaws([reversed])
/// ```
///
/// A counterexample is shrunk: the law is tried again with fewer and smaller random numbers. So write ranges with the
/// simplest value first.
public struct Law: Sendable {
    /// The name of the law, in failures and to leave it out.
    public let name: String
    /// The law in one line.
    public let statement: String
    /// Tries a random case; returns a counterexample, or nil if the law holds for it.
    let attempt: @Sendable (inout LawRandom) -> Counterexample?

    /// - Parameters:
    ///   - name: The name of the law, in failures and to leave it out.
    ///   - statement: The law in one line.
    ///   - attempt: Tries a random case; returns a counterexample, or nil if the law holds for it. Invoked again with
    ///     other random numbers to shrink a counterexample.
    public init(
        _ name: String, _ statement: String,
        _ attempt: @escaping @Sendable (inout LawRandom) -> Counterexample?
    ) {
        (self.name, self.statement, self.attempt) = (name, statement, attempt)
    }

    /// A case for which a law does not hold.
    public struct Counterexample: Sendable, CustomStringConvertible {
        /// The inputs and the results, one in each line.
        public let description: String

        /// - Parameters:
        ///   - values: The inputs, by name.
        ///   - outcome: The results, by name.
        public init(
            _ values: KeyValuePairs<String, any Sendable>, _ outcome: KeyValuePairs<String, any Sendable>
        ) {
            let lines = values.map { "\($0.key) = \($0.value)" } + outcome.map { "\($0.key): \($0.value)" }
            description = lines.joined(separator: "\n")
        }

        /// A counterexample if the two sides differ; nil if they are equal.
        public static func unless<Value: Equatable & Sendable>(
            _ left: Value, _ right: Value, _ values: KeyValuePairs<String, any Sendable>
        ) -> Counterexample? {
            areAlike(left, right) ? nil : Counterexample(values, ["left": left, "right": right])
        }
    }
}

// MARK: - Finding and shrinking a counterexample

extension Law {
    /// The first counterexample, shrunk, with the number of its case from 1; nil if there is none.
    func counterexample(cases: Int, seed: UInt64) -> (number: Int, example: Counterexample)? {
        for number in 0..<UInt64(max(cases, 0)) {
            var random = LawRandom(seed: seed &+ number)
            guard let found = attempt(&random) else { continue }
            return (Int(number) + 1, smaller(found, random.tape))
        }
        return nil
    }

    /// Shrinks a counterexample by removing and lowering its random numbers, with at most 1,000 attempts.
    private func smaller(_ found: Counterexample, _ tape: [UInt64]) -> Counterexample {
        var (best, bestTape) = (found, tape)
        var triesLeft = 1_000
        func isBetter(_ candidate: [UInt64]) -> Bool {
            guard candidate != bestTape, triesLeft > 0 else { return false }
            triesLeft -= 1
            var random = LawRandom(tape: candidate)
            guard let example = attempt(&random) else { return false }
            (best, bestTape) = (example, candidate)
            return true
        }
        var hasImproved = true
        while hasImproved && triesLeft > 0 {
            hasImproved = false
            var place = 0
            while place < bestTape.count {
                var shorter = bestTape
                shorter.remove(at: place)
                if isBetter(shorter) {
                    hasImproved = true
                    continue
                }
                // Down to the smallest number if possible, else in ever smaller steps.
                for step in [1] + (1...6).map({ UInt64(1) << $0 }) {
                    let now = bestTape[place]
                    var lower = bestTape
                    lower[place] = max(now - now / step, LawRandom.smallest)
                    if isBetter(lower) { hasImproved = true }
                }
                place += 1
            }
        }
        return best
    }
}
