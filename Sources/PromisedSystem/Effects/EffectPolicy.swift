/// Decides what happens when new work is requested under a key that already has running work.
public enum EffectPolicy: Sendable, Hashable {
    /// Runs the new work concurrently with the running work.
    case concurrent
    /// Enqueues the new work; it starts when all running and earlier queued work under the key has ended.
    case queue
    /// Cancels the running work, discards its pending events and the work that is enqueued under the key, and starts
    /// the new work.
    case replace
    /// Discards the new request while other work is running.
    case drop
    // Indirect cases keep every request small.
    /// Cancels the running work and discards its pending events. The new work starts when no newer request has come for
    /// this duration, so no response to an old request arrives after a new request. This is the policy for a search
    /// field.
    indirect case debounce(Duration)
    /// Lets the running work continue until no newer request has come for this duration; then the last request replaces
    /// it. Meanwhile the running work may still send its result. This is the policy for work whose stale result is
    /// better than none, such as a preview.
    indirect case debounceThenReplace(Duration)
    /// Of the requests in a window of this duration, starts the first one, the last one or both, each in place of the
    /// running work, and discards the others.
    indirect case throttle(Duration, edges: ThrottleEdges = .leading)

    /// The window that opens when a delayed request starts; nil if none does.
    var nextWindow: Duration? { if case .throttle(let window, .both) = self { window } else { nil } }
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
