internal import Promise

/// The timer of a debounced event or effect. It is cancelled and replaced when another one of the key arrives.
@usableFromInline
struct DebounceTimer: Sendable {
    let work: ScheduledWork

    /// - Parameter body: Called on the scheduler when the timer fires.
    init(_ pause: Duration, on scheduler: any SerialScheduler, _ body: @escaping @Sendable () -> Void) {
        work = scheduler.schedule(after: pause, body).serves(.loop)
    }

    @usableFromInline
    func cancel() { work.cancel() }
}
