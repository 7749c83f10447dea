internal import Promise

/// The timer of a debounced event or effect. It is cancelled and replaced when another one of the key arrives.
@usableFromInline
struct DebounceTimer: Sendable {
    private let work: ScheduledWork
    /// When it fires, by the clock of the scheduler.
    let end: Duration

    /// - Parameter body: Called on the scheduler when the timer fires.
    init(_ pause: Duration, on scheduler: any SerialScheduler, _ body: @escaping @Sendable () -> Void) {
        end = scheduler.now.later(by: pause)
        work = scheduler.schedule(after: pause, body).serves(.loop)
    }

    @usableFromInline
    func cancel() { work.cancel() }
}
