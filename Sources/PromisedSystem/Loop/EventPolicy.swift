/// What an event does when it arrives.
///
/// It applies when the system, on its scheduler, takes the event in, before any middleware. What depends on
/// whether a transition is running looks at that alone: of two events that were sent together from another
/// thread while the system was at rest, neither finds one running, and both have their turn. What must not
/// happen twice is for the reducer to refuse.
public enum EventPolicy: Sendable, Hashable {
    /// Waits for its turn, behind the events that came before it.
    case queue
    /// Cancels the running transition and goes first.
    case replace
    /// Is dropped while a transition is running; otherwise it has its turn as any other.
    case dropWhileBusy
    // Behind a pointer where there is something to say, so that every event on its way is small.
    /// Waits until no other event of this key has come for so long; only the last one then has its turn. If that
    /// was taken back meanwhile, because the effect that sent it was cancelled, none has.
    indirect case debounce(Duration, key: EffectKey)
    /// Has its turn, and drops all others of this key that come within so long.
    indirect case throttle(Duration, key: EffectKey)
}
