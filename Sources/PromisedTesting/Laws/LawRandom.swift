/// Where the random values of a law come from: the same for the same seed.
///
/// ```swift
/// import PromisedTesting
///
/// var random = LawRandom(seed: 1)
/// var again = LawRandom(seed: 1)
/// print(Int.random(in: 0..<100, using: &random) == Int.random(in: 0..<100, using: &again))
/// ```
///
/// What it has given is kept, so that a case in which a law does not hold can be made smaller.
public struct LawRandom: RandomNumberGenerator, Sendable {
    /// What was given, or is to be given first.
    private(set) var tape: [UInt64]
    private var position = 0
    /// Nil behind a tape that is played: then every number is the smallest.
    private var state: UInt64?

    /// - Parameter seed: The same one gives the same numbers.
    public init(seed: UInt64) { (tape, state) = ([], seed) }

    /// - Parameter tape: What is given first.
    init(tape: [UInt64]) { (self.tape, state) = (tape, nil) }

    /// The next number.
    public mutating func next() -> UInt64 {
        defer { position += 1 }
        if position < tape.count { return tape[position] }
        let number = fresh()
        tape.append(number)
        return number
    }

    // SplitMix64.
    private mutating func fresh() -> UInt64 {
        guard let last = state else { return Self.smallest }
        let now = last &+ 0x9E37_79B9_7F4A_7C15
        state = now
        var mixed = now
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Gives the lower bound of every range. With 0 the standard library asks again, and would for ever.
    static let smallest: UInt64 = 1
}
