/// The random number generator of a law: equal seeds give equal numbers.
///
/// ```swift
/// import PromisedTesting
///
/// var random = LawRandom(seed: 1)
/// var again = LawRandom(seed: 1)
/// print(Int.random(in: 0..<100, using: &random) == Int.random(in: 0..<100, using: &again))
/// ```
///
/// It records its numbers, so that a counterexample can be shrunk.
public struct LawRandom: RandomNumberGenerator, Sendable {
    /// The numbers that were generated, or are to be returned first.
    private(set) var tape: [UInt64]
    private var position = 0
    /// The state of the generator; nil for one that replays a tape, and returns `smallest` after it.
    private var state: UInt64?

    /// - Parameter seed: Equal seeds give equal numbers.
    public init(seed: UInt64) { (tape, state) = ([], seed) }

    /// - Parameter tape: The numbers to return first.
    init(tape: [UInt64]) { (self.tape, state) = (tape, nil) }

    /// Returns the next number.
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

    /// Gives the lower bound of every range. The standard library rejects 0 and asks again, without end.
    static let smallest: UInt64 = 1
}
