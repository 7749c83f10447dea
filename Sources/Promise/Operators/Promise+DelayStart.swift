extension Promise {
    /// Delays the start of the work.
    ///
    /// ``delay(_:on:file:line:)`` starts the work immediately and delays its outcome. This operator starts the work
    /// only after the delay, and a promise that is cancelled before then never starts it: for work that is likely to
    /// be replaced by a newer request soon, such as a search per keystroke.
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
    /// Leading interim values (see ``interim(_:)``) are delivered immediately, reported ones once the work has
    /// started. If another observer has already started the work, its outcome is still not delivered before the delay
    /// has passed.
    ///
    /// - Parameters:
    ///   - duration: The delay after the returned promise is started; zero or less enqueues the start after the work
    ///     that is already pending on the scheduler.
    ///   - scheduler: The scheduler whose clock measures the delay; by default the scheduler of the chain.
    public func delayStart(
        _ duration: Duration, on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        // Without the leading interim values: the returned promise has them, and the work must not repeat them.
        let work = led(by: nil)
        return Promise<Void>.value(()).delay(duration, on: scheduler, file: file, line: line)
            .flatMap({ work }, file: file, line: line).led(by: leadingInterims)
    }
}
