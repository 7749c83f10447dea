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
    indirect case debounce(Duration, key: EffectKey)
    /// Throttles by key: the event is enqueued, and all further events of the key that arrive within the duration are
    /// dropped.
    indirect case throttle(Duration, key: EffectKey)
}
