/// What a system was told about its events when it was made.
@usableFromInline
struct LoopConfiguration<Event: Sendable>: Sendable {
    @usableFromInline
    struct Policy: Sendable {
        @usableFromInline let ask: @Sendable (Event) -> EventPolicy

        @usableFromInline
        init(ask: @escaping @Sendable (Event) -> EventPolicy) { self.ask = ask }
    }

    /// nil where every event waits for its turn.
    @usableFromInline var eventPolicy: Policy?
    @usableFromInline var timeLimit: @Sendable (Event) -> Duration?
    /// At least 1: an event that no other has sent always has its turn.
    @usableFromInline var runawayLimit: Int

    @usableFromInline
    init(
        eventPolicy: Policy?, timeLimit: @escaping @Sendable (Event) -> Duration?, runawayLimit: Int
    ) {
        (self.eventPolicy, self.timeLimit, self.runawayLimit) = (eventPolicy, timeLimit, max(1, runawayLimit))
    }
}
