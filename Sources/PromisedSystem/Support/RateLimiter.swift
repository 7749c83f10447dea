internal import Promise

/// Which values of a burst count: the rule of a debounce or a throttle.
enum RateLimit: Sendable {
    case debounce(Duration)
    case throttle(Duration, ThrottleEdges)

    enum LimitDecision: Sendable {
        case pass, discard
        /// The value waits this long, and supersedes the one that waits already.
        case wait(Duration)
    }

    /// How long a window may stay open after a value has arrived or its work has started; nil for a debounce.
    var longestWindow: Duration? {
        guard case .throttle(let window, let edges) = self else { return nil }
        return min(edges == .both ? window.later(by: window) : window, .seconds(Int64.max))
    }

    /// The window that opens when a value has waited; nil if none does.
    var nextWindow: Duration? { if case .throttle(let window, .both) = self { window } else { nil } }
}

/// The value of one key that waits for its timer, and the throttle window of the key.
struct RateLimiter<Value: Sendable>: Sendable {
    struct PendingValue: Sendable {
        let value: Value
        /// Recognises a late timer.
        let number: Int
        let limit: RateLimit
        /// When it began to wait.
        let since: Duration
    }

    private(set) var waiting: PendingValue?
    /// When the open window ends; nil if none is open.
    var windowEnd: Duration?

    var isIdle: Bool { waiting == nil && windowEnd == nil }

    /// Decides on a value that arrives, and opens a window for the first one of a throttle.
    mutating func decision(_ limit: RateLimit, _ now: () -> Duration) -> RateLimit.LimitDecision {
        switch limit {
        case .debounce(let pause): return .wait(pause)
        case .throttle(let window, let edges):
            let now = now()
            let rest = windowRest(at: now)
            if rest == nil { windowEnd = now.later(by: window) }
            guard rest != nil || edges == .trailing else { return .pass }
            return edges == .leading ? .discard : .wait(rest ?? window)
        }
    }

    /// How long the window stays open; nil if none is. It is open until its last value counts.
    private func windowRest(at now: Duration) -> Duration? {
        guard let windowEnd else { return nil }
        if now < windowEnd { return windowEnd - now }
        if case .throttle? = waiting?.limit { return .zero }
        return nil
    }

    /// Has a value wait, in place of the one before.
    mutating func wait(_ value: Value, _ number: Int, _ limit: RateLimit, at now: Duration) {
        waiting = PendingValue(value: value, number: number, limit: limit, since: now)
    }

    /// Removes and returns the value that waits.
    mutating func take() -> Value? {
        defer { waiting = nil }
        return waiting?.value
    }

    /// Removes and returns the value whose timer has fired; nil if it was taken or superseded before.
    mutating func timerFired(_ number: Int, _ now: () -> Duration) -> Value? {
        guard let waiting, waiting.number == number else { return nil }
        if let window = waiting.limit.nextWindow { windowEnd = now().later(by: window) }
        return take()
    }

    mutating func closeWindow(at now: Duration) {
        if let windowEnd, windowEnd <= now { self.windowEnd = nil }
    }
}

/// Which of the requests, or events, in the window of a throttle count.
public enum ThrottleEdges: String, Sendable, Hashable, CustomStringConvertible {
    /// The first one, at once: it opens the window, and all others in it are discarded. For a button that must not be
    /// pressed twice.
    case leading
    /// The last one, at the end of the window that the first one has opened. For a preview that need not be shown at
    /// once.
    case trailing
    /// The first one at once, and at the end of the window the last of the others, which opens the next window. For a
    /// dial that is turned: it is followed immediately, and its final position counts.
    case both

    /// The name of the case.
    public var description: String { rawValue }
}
