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

    /// The rule of a debounce or a throttle; nil for others.
    var rateLimit: RateLimit? {
        switch self {
        case .debounce(let pause), .debounceThenReplace(let pause): .debounce(pause)
        case .throttle(let window, let edges): .throttle(window, edges)
        case .concurrent, .queue, .replace, .drop: nil
        }
    }
}
