internal import Promise

/// How long to wait before each retry of a fetch, and how many retries there are.
///
/// ```swift
/// import PromisedSources
///
/// let strategy = RetryStrategy.backoff(from: .seconds(1), upTo: .seconds(60))
/// print((1...3).compactMap { strategy.delay(beforeRetry: $0) })
/// ```
public struct RetryStrategy: Sendable, Hashable {
    private let backoff: Backoff
    private let maximum: Int?

    /// A strategy with the same delay before each retry.
    ///
    /// - Parameters:
    ///   - delay: The delay after each failure.
    ///   - maximum: How many retries follow each other at most; nil for any number.
    public static func interval(_ delay: Duration, maximum: Int? = nil) -> RetryStrategy {
        RetryStrategy(backoff: .constant(delay), maximum: maximum)
    }

    /// A strategy whose delay doubles with each retry, and begins from the start after a success.
    ///
    /// - Parameters:
    ///   - first: The delay before the first retry.
    ///   - limit: The longest delay.
    ///   - maximum: How many retries follow each other at most; nil for any number.
    public static func backoff(
        from first: Duration, upTo limit: Duration, maximum: Int? = nil
    ) -> RetryStrategy {
        RetryStrategy(backoff: .exponential(from: first, upTo: limit), maximum: maximum)
    }

    /// The delay before a retry; nil if there are no more.
    ///
    /// - Parameter retry: The number of the retry since the last success, from 1.
    public func delay(beforeRetry retry: Int) -> Duration? {
        if let maximum, retry > maximum { return nil }
        return backoff.delay(afterAttempt: retry)
    }
}

/// When a failure that is retried is shown.
public enum ForwardErrorAfter: Sendable, Hashable {
    /// After so many retries in a row have failed.
    case attempts(Int)
    /// When this time has passed since the first failure, if there was no success.
    case time(Duration)
    /// Not while there are retries.
    case never
    /// At once.
    case immediately

    var time: Duration? { if case .time(let time) = self { time } else { nil } }

    func isReached(retries: Int) -> Bool {
        switch self {
        case .attempts(let attempts): retries >= attempts
        case .immediately: true
        case .never, .time: false
        }
    }
}
