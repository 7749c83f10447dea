/// A schedule of delays between attempts.
///
/// ```swift
/// let backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(1))
/// print((1...5).map { backoff.delay(afterAttempt: $0) })  // 0.1, 0.2, 0.4, 0.8, 1.0 seconds
/// ```
///
/// It is a stateless value: the delay depends on the attempt number alone, so every promise that uses it begins with
/// the first delay.
public struct Backoff: Sendable, Hashable {
    fileprivate struct Jitter: Hashable {
        var fraction: Double
        var seed: UInt64
    }

    private let first: Duration
    private let factor: Double
    private let limit: Duration
    private var jitter: Jitter?

    /// No delay: the next attempt is made immediately.
    public static let none = constant(.zero)

    /// A backoff with the same delay after every attempt.
    ///
    /// - Parameter delay: The delay; a negative one counts as zero.
    public static func constant(_ delay: Duration) -> Backoff {
        exponential(from: delay, factor: 1, upTo: delay)
    }

    /// A backoff whose delay is multiplied by the same factor after every attempt, up to a limit.
    ///
    /// - Parameters:
    ///   - first: The delay after the first attempt; a negative one counts as zero.
    ///   - factor: The ratio of each delay to the one before; less than 1 or NaN counts as 1.
    ///   - limit: The maximum delay; a negative one counts as zero.
    public static func exponential(from first: Duration, factor: Double = 2, upTo limit: Duration) -> Backoff
    {
        // The comparison is false for NaN, too.
        Backoff(first: max(first, .zero), factor: factor > 1 ? factor : 1, limit: max(limit, .zero))
    }

    /// Adds random jitter: shortens each delay at random, so that clients that failed together do not retry together.
    ///
    /// A delay `d` becomes a uniformly distributed one between `(1 - fraction) * d` and `d`. The random numbers depend
    /// on `seed` and the attempt number alone: the same seed gives the same delays in every run and on every
    /// machine. An earlier jitter is replaced.
    ///
    /// - Parameters:
    ///   - fraction: The largest fraction of a delay that may be cut off, clamped to 0…1; NaN counts as 0.
    ///   - seed: The seed of the random sequence: use a different one for each client that should differ from others.
    public func jittered(by fraction: Double, seed: UInt64) -> Backoff {
        var jittered = self
        jittered.jitter = Jitter(fraction: fraction > 0 ? min(fraction, 1) : 0, seed: seed)
        return jittered
    }

    /// Returns the delay between the given attempt and the next.
    ///
    /// - Parameter attempt: The number of the attempt that failed, from 1; a smaller number counts as 1.
    /// - Returns: The delay, never negative.
    /// - Complexity: O(log `attempt`)
    public func delay(afterAttempt attempt: Int) -> Duration {
        let attempt = max(attempt, 1)
        let delay = grown(by: Self.power(factor, attempt - 1))
        guard let jitter else { return delay }
        return delay - delay * (jitter.fraction * jitter.draw(attempt))
    }

    private func grown(by growth: Double) -> Duration {
        guard first > .zero else { return .zero }
        // Compared in floating point, because the product may be too large for a `Duration`.
        guard first.attosecondsAsDouble * growth < limit.attosecondsAsDouble else { return limit }
        // Whole factors are exact.
        return if let whole = Int(exactly: growth) { first * whole } else { first * growth }
    }

    /// Exponentiation by squaring, so that a large attempt number is cheap; infinite on overflow.
    private static func power(_ base: Double, _ exponent: Int) -> Double {
        var (result, square, rest) = (1.0, base, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return result
    }
}

extension Backoff.Jitter {
    /// The random number of this attempt, in 0..<1. SplitMix64 computes any element of its sequence without the
    /// elements before it.
    func draw(_ attempt: Int) -> Double {
        var mixed = seed &+ UInt64(attempt) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) * 0x1p-53
    }
}

extension Duration {
    fileprivate var attosecondsAsDouble: Double {
        Double(components.seconds) * 1e18 + Double(components.attoseconds)
    }
}
