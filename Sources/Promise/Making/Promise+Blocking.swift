extension Promise {
    /// Creates a promise for work that blocks its thread, such as file access, a database query or a long calculation.
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
    /// Do not block in the `async` closure of `Promise { … }`: that occupies a thread of the shared concurrency pool.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that runs the work, one item at a time. It does not become the scheduler of the
    ///     chain: delays and timeouts downstream use the clock of the chain as usual. In tests, pass the
    ///     `TestScheduler` or replace the whole promise by a test double; a `TestScheduler` counts work on a real
    ///     queue as pending `async` work.
    ///   - work: Enqueued once, when the promise is first observed. It is skipped if the promise has been cancelled
    ///     before it is dequeued. A thrown error rejects the promise.
    public init(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () throws -> Value
    ) {
        self.init(on: scheduler, file: file, line: line) { _ in try work() }
    }

    /// Creates a promise for work that blocks its thread for long, and ends early when it is no longer wanted.
    ///
    /// ```swift
    /// import Foundation
    ///
    /// func lines(of file: FileHandle) -> Promise<Int> {
    ///     Promise(on: .serial("reading")) { isCancelled in
    ///         var count = 0
    ///         while !isCancelled(), let part = try file.read(upToCount: 65_536), !part.isEmpty {
    ///             count += part.count { $0 == 0x0A }
    ///         }
    ///         return count
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - scheduler: As for work that takes no parameter.
    ///   - work: As for work that takes no parameter. What it is called with says whether the promise has been cancelled
    ///     meanwhile, on any thread; the value or error of the work is then discarded.
    public init(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Value
    ) {
        self.init(origin: Origin(file, line)) { resolver, chain in
            // A virtual clock must know about pending work that advancing it does not run.
            let belongsToOtherScheduler = scheduler !== chain
            let asyncWorkEnded = belongsToOtherScheduler ? chain.asyncWorkBegins(at: Origin(file, line)) : nil
            let scheduledWork = scheduler.schedule(after: .zero) {
                if !resolver.isCancelled {
                    do { resolver.fulfill(try work { resolver.isCancelled }) } catch {
                        resolver.reject(error)
                    }
                }
                asyncWorkEnded?()
            }
            if !belongsToOtherScheduler { resolver.onCancel { scheduledWork.cancel() } }
        }
    }
}
