extension Promise {
    /// A promise made of work that blocks its thread: a file, a database, a long calculation.
    ///
    /// ```swift
    /// import Foundation
    ///
    /// let disk = QueueScheduler.serial("disk")
    ///
    /// func write(_ note: String, to file: URL) -> Promise<Void> {
    ///     Promise(on: disk) { try Data(note.utf8).write(to: file, options: .atomic) }
    /// }
    /// ```
    ///
    /// `Promise { … }` with a closure of `async` code is for work that awaits: what blocks there keeps a thread that all
    /// tasks share.
    ///
    /// - Parameters:
    ///   - scheduler: Where the work runs, one piece after the other. Delays and time limits behind it use the clock of
    ///     the chain, as they do elsewhere. In tests, give it the `TestScheduler`, or put a double in the place of the
    ///     whole; work on a real queue is open `async` work to a `TestScheduler`.
    ///   - work: Runs once, when the promise is first observed and its turn has come; not at all if nobody is
    ///     interested in the promise any more by then. A throw rejects.
    public init(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () throws -> Value
    ) {
        self.init(origin: Origin(file, line)) { resolver, chain in
            // A clock that is moved by hand is told of work that it does not move.
            let belongsToOtherScheduler = scheduler !== chain
            let ended = belongsToOtherScheduler ? chain.asyncWorkBegins(at: Origin(file, line)) : nil
            let trampoline = scheduler.schedule(after: .zero) {
                if !resolver.isCancelled {
                    do { resolver.fulfill(try work()) } catch { resolver.reject(error) }
                }
                ended?()
            }
            if !belongsToOtherScheduler { resolver.onCancel { trampoline.cancel() } }
        }
    }
}
