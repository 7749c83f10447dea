/// The settings about events that were passed to the initialiser of a system.
@usableFromInline
struct LoopConfiguration<Event: Sendable>: Sendable {
    @usableFromInline
    struct Policy: Sendable {
        @usableFromInline let ask: @Sendable (Event) -> EventPolicy

        @usableFromInline
        init(ask: @escaping @Sendable (Event) -> EventPolicy) { self.ask = ask }
    }

    /// nil if every event has the policy `queue`.
    @usableFromInline var eventPolicy: Policy?
    @usableFromInline var timeLimit: @Sendable (Event) -> Duration?
    /// At least 1, so that an event from outside a cascade is always processed.
    @usableFromInline var runawayLimit: Int

    @usableFromInline
    init(
        eventPolicy: Policy?, timeLimit: @escaping @Sendable (Event) -> Duration?, runawayLimit: Int
    ) {
        (self.eventPolicy, self.timeLimit, self.runawayLimit) = (eventPolicy, timeLimit, max(1, runawayLimit))
    }
}
