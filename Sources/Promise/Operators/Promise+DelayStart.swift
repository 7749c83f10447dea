extension Promise {
    /// Starts the work later.
    ///
    /// ``delay(_:on:file:line:)`` starts the work at once and holds its outcome back. This leaves it alone until the
    /// time has passed, and a promise that is cancelled until then never starts it: for work that is likely to be
    /// requested again soon, as a search at every letter.
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// import Promise
    /// import PromisedTesting
    ///
    /// let scheduler = TestScheduler()
    /// let asking = Promise<Int> { resolver in
    ///     print("asking")
    ///     resolver.fulfill(3)
    /// }
    /// let search = asking.delayStart(.milliseconds(300)).start(on: scheduler)
    /// scheduler.advance(by: .milliseconds(200))
    /// print("not yet")
    /// scheduler.advance(by: .milliseconds(100))
    /// print(try search.result?.get() ?? 0)
    /// ```
    ///
    /// ```text output
    /// not yet
    /// asking
    /// 3
    /// ```
    ///
    /// A value at the very start (see ``interim(_:)``) is shown at once; what the work reports comes when it has started.
    /// The outcome of work that another observer has started before comes no earlier than the time has passed.
    ///
    /// - Parameters:
    ///   - duration: How long after its own start; zero or less means behind what its scheduler has to do already.
    ///   - scheduler: On whose clock the time passes; by default the scheduler of the chain.
    public func delayStart(
        _ duration: Duration, on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        // What is shown at the very start is known without the work, and not to be shown again with it.
        let work = Promise(representation: representation)
        let late = Promise<Void>.value(()).delay(duration, on: scheduler, file: file, line: line)
            .flatMap({ work }, file: file, line: line)
        return Promise(representation: late.representation, leadingInterims: leadingInterims)
    }
}
