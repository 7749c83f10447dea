/// What an event does that arrives while a transition is running.
///
/// It applies when the system, on its scheduler, takes the event in, and it looks at the running transition
/// alone: of two events that were sent together from another thread while the system was at rest, neither
/// finds one running, and both have their turn. What must not happen twice is for the reducer to refuse.
public enum EventPolicy: Sendable, Hashable {
    /// Waits for its turn, behind the events that came before it.
    case queue
    /// Cancels the running transition and goes first.
    case replace
    /// Is dropped; when no transition is running, it has its turn as any other.
    case dropWhileBusy
}
