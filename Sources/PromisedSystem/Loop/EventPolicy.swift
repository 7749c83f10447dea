/// Decides whether an event is queued, dropped or delayed when it arrives.
///
/// The policy is applied when the system, on its scheduler, dequeues the event from its inbox, before any middleware.
/// ``replace`` depends only on whether a transition is running at that time.
public enum EventPolicy: Sendable, Hashable {
    /// The event is enqueued and processed after all earlier events.
    case queue
    /// The event cancels the running transition and is processed before all queued events.
    case replace
    /// The event is dropped while a transition is running, or while an earlier event with this policy is enqueued: of
    /// two that are sent together, from any thread, the second is dropped. Otherwise it is enqueued.
    case dropWhileBusy
    // Indirect, so that a queued event is small: most have no associated values.
    /// Debounces by key: the event is delayed until no other event of the key has arrived for the duration, so only
    /// the last event of a burst is processed. If the effect that sent that last event is cancelled meanwhile, none is.
    ///
    /// With `keepsOrder`, a later event does not overtake it: a "save" that is sent 100 ms
    /// after the last letter finds that letter in the state, because the delayed event is processed first. An event that
    /// only asks for something, such as a search that is sent with each letter, has `keepsOrder: false`: else the next
    /// letter would end its delay. Events of a feedback's work are exempt: they end no delay, and later events do not
    /// end theirs. See ``System/flush(_:)`` for the events that count.
    indirect case debounce(Duration, key: EffectKey, keepsOrder: Bool = true)
    /// Throttles by key: of the events of the key that arrive within the duration, only the first one is enqueued, only
    /// the last one, or both; the others are dropped. The last one is enqueued when the duration is over; see
    /// ``debounce(_:key:keepsOrder:)`` for its order.
    indirect case throttle(Duration, edges: ThrottleEdges = .leading, key: EffectKey, keepsOrder: Bool = true)

    /// How long a throttle window may stay open after the event has arrived; nil for other policies.
    package var longestWindow: Duration? { rateLimit?.longestWindow }

    /// The rule of a debounce or a throttle; nil for others.
    var rateLimit: RateLimit? {
        switch self {
        case .debounce(let pause, _, _): .debounce(pause)
        case .throttle(let window, let edges, _, _): .throttle(window, edges)
        case .queue, .replace, .dropWhileBusy: nil
        }
    }

    /// Whether a delayed event is processed before any later one.
    var keepsOrder: Bool {
        switch self {
        case .debounce(_, _, let keepsOrder), .throttle(_, _, _, let keepsOrder): keepsOrder
        case .queue, .replace, .dropWhileBusy: false
        }
    }
}
