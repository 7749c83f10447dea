/// How long to wait before something is tried again.
///
/// ```swift
/// let backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(1))
/// print((1...5).map { backoff.delay(afterAttempt: $0) })  // 0.1, 0.2, 0.4, 0.8, 1.0 seconds
/// ```
///
/// It is a plain value without memory: the delay depends on the number of the attempt alone, so every promise
/// that is started with it goes through the same delays from the start.
public struct Backoff: Sendable, Hashable {
    fileprivate enum Growth: Hashable {
        case constant(Duration)
        case exponential(Duration, factor: Double, limit: Duration)
    }

    fileprivate struct Jitter: Hashable {
        var fraction: Double
        var seed: UInt64
    }

    private let growth: Growth
    private var jitter: Jitter?

    /// No wait: the next attempt is made at once.
    public static let none = constant(.zero)

    /// The same wait after every attempt.
    ///
    /// - Parameter delay: How long; less than zero counts as zero.
    public static func constant(_ delay: Duration) -> Backoff {
        Backoff(growth: .constant(max(delay, .zero)))
    }

    /// A wait that grows by the same factor after every attempt, up to a limit.
    ///
    /// - Parameters:
    ///   - first: The wait after the first attempt; less than zero counts as zero.
    ///   - factor: How much longer each wait is than the one before; less than 1 counts as 1.
    ///   - limit: The longest wait, whatever the number of the attempt.
    public static func exponential(from first: Duration, factor: Double = 2, upTo limit: Duration) -> Backoff
    {
        // The comparison is false for what is not a number, too.
        let factor = factor > 1 ? factor : 1
        return Backoff(
            growth: .exponential(max(first, .zero), factor: factor, limit: max(limit, .zero)))
    }

    /// The same, each delay shortened by chance, so that many who failed together do not come back together.
    ///
    /// A delay becomes one between `(1 - fraction)` times itself and itself, all equally likely. Chance comes
    /// from `seed` alone: the same seed gives the same delays, in every run and on every machine. A jitter
    /// that was there before is replaced.
    ///
    /// - Parameters:
    ///   - fraction: Which part of a delay chance may take, from 0 to 1; what lies outside counts as the
    ///     nearer of the two.
    ///   - seed: Where the chance begins: one of its own for each client that should differ from others.
    public func jittered(by fraction: Double, seed: UInt64) -> Backoff {
        var jittered = self
        jittered.jitter = Jitter(fraction: fraction > 0 ? min(fraction, 1) : 0, seed: seed)
        return jittered
    }

    /// How long to wait between this attempt and the next.
    ///
    /// - Parameter attempt: The number of the attempt that failed, from 1; less counts as 1.
    /// - Returns: Zero or more. The cost grows with the logarithm of `attempt`.
    public func delay(afterAttempt attempt: Int) -> Duration {
        let attempt = max(attempt, 1)
        let delay = growth.delay(afterAttempt: attempt)
        guard let jitter else { return delay }
        return delay - delay * (jitter.fraction * jitter.draw(attempt))
    }
}

extension Backoff.Growth {
    func delay(afterAttempt attempt: Int) -> Duration {
        switch self {
        case .constant(let delay): delay
        case .exponential(let first, let factor, let limit):
            Self.grown(first, by: Self.power(factor, attempt - 1), upTo: limit)
        }
    }

    private static func grown(_ first: Duration, by growth: Double, upTo limit: Duration) -> Duration {
        guard first > .zero else { return .zero }
        // In floating point, where what is too large to be a duration is still a number to compare.
        guard first.attosecondsAsDouble * growth < limit.attosecondsAsDouble else { return limit }
        // Whole factors are exact.
        return if let whole = Int(exactly: growth) { first * whole } else { first * growth }
    }

    /// By squaring, so that a very large number of attempts costs nothing; infinite when it is too large.
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
    /// The number of this attempt in the sequence of `seed`, from 0 to less than 1 (SplitMix64, which gives
    /// every number of its sequence without those before it).
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
