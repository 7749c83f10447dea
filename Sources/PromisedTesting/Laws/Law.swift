/// Something that holds for all values, and is tried for random ones.
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
/// What breaks a law is tried again and again with fewer random numbers, and smaller ones, to show a case that is easily
/// read: write ranges so that the simplest value comes first.
public struct Law: Sendable {
    /// What it is called: in failures, and to leave it out.
    public let name: String
    /// What it says.
    public let statement: String
    /// Makes a case, and says how it breaks the law; nil if it keeps it.
    let attempt: @Sendable (inout LawRandom) -> Counterexample?

    /// - Parameters:
    ///   - name: What it is called.
    ///   - statement: What it says, in one line.
    ///   - attempt: Makes a random case and tries it: says how it breaks the law, or nil if it keeps it.
    public init(
        _ name: String, _ statement: String,
        _ attempt: @escaping @Sendable (inout LawRandom) -> Counterexample?
    ) {
        (self.name, self.statement, self.attempt) = (name, statement, attempt)
    }

    /// A case that breaks a law.
    public struct Counterexample: Sendable, CustomStringConvertible {
        /// What was tried, and what came of it, each in a line.
        public let description: String

        /// - Parameters:
        ///   - values: What was tried, by name.
        ///   - outcome: What came of it.
        public init(
            _ values: KeyValuePairs<String, any Sendable>, _ outcome: KeyValuePairs<String, any Sendable>
        ) {
            let lines = values.map { "\($0.key) = \($0.value)" } + outcome.map { "\($0.key): \($0.value)" }
            description = lines.joined(separator: "\n")
        }

        /// Nil when both sides are equal.
        public static func unless<Value: Equatable & Sendable>(
            _ left: Value, _ right: Value, _ values: KeyValuePairs<String, any Sendable>
        ) -> Counterexample? {
            left == right ? nil : Counterexample(values, ["left": left, "right": right])
        }
    }
}

// MARK: - Looking for a case

extension Law {
    /// A case that breaks the law, and which of all cases it is; nil if there is none among them.
    func counterexample(cases: Int, seed: UInt64) -> (number: Int, example: Counterexample)? {
        for number in 0..<UInt64(max(cases, 0)) {
            var random = LawRandom(seed: seed &+ number)
            guard let found = attempt(&random) else { continue }
            return (Int(number) + 1, smaller(found, random.tape))
        }
        return nil
    }

    /// The simplest case that is found by leaving out and lowering what was random about another.
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
        var goesOn = true
        while goesOn && triesLeft > 0 {
            goesOn = false
            var place = 0
            while place < bestTape.count {
                var shorter = bestTape
                shorter.remove(at: place)
                if isBetter(shorter) {
                    goesOn = true
                    continue
                }
                // All the way down if possible, else ever shorter steps.
                for step in [1] + (1...6).map({ UInt64(1) << $0 }) {
                    let now = bestTape[place]
                    var lower = bestTape
                    lower[place] = max(now - now / step, LawRandom.smallest)
                    if isBetter(lower) { goesOn = true }
                }
                place += 1
            }
        }
        return best
    }
}
