internal import Promise

/// A timer that runs until nothing new has come for a while.
@usableFromInline
struct DebounceTimer: Sendable {
    private let work: ScheduledWork
    /// When it runs out, by the clock of the scheduler.
    @usableFromInline let end: Duration

    /// - Parameter body: Done when the pause is over.
    @usableFromInline
    init(_ pause: Duration, on scheduler: any SerialScheduler, _ body: @escaping @Sendable () -> Void) {
        end = scheduler.now.later(by: pause)
        work = scheduler.schedule(after: pause, body).serves(.loop)
    }

    @usableFromInline
    func cancel() { work.cancel() }
}
