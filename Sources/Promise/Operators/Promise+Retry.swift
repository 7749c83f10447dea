extension Promise {
    /// Makes a promise, and a new one after each rejection, until one is fulfilled or the attempts are used up.
    ///
    /// ```swift
    /// struct Busy: Error {}
    /// let backoff = Backoff.exponential(from: .milliseconds(1), upTo: .milliseconds(8))
    /// let answer = Promise.retry(attempts: 3, backoff: backoff) {
    ///     Promise<Int> { resolver in throw Busy() }
    /// }
    /// print(try await answer.mapErrorRecover { _ in 0 }.value)
    /// ```
    ///
    /// The first attempt is made when the returned promise is started, each further one after the attempt before has
    /// been rejected. Errors that are followed by another attempt count as handled. Interim values of every attempt
    /// are forwarded. Cancelling the promise cancels the pending delay, or the running attempt unless that has other
    /// observers; a cancelled attempt is not retried. Any number of attempts takes constant stack and memory.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts; less than 1 counts as 1.
    ///   - backoff: The delay after each rejection. Without a delay the next attempt is made on the thread that
    ///     rejected the last one.
    ///   - scheduler: The scheduler whose clock measures the delays, and on which the attempts after a delay are made;
    ///     by default the scheduler of the chain.
    ///   - shouldRetry: Whether to retry after this error; called on the thread that rejected the attempt. Not called
    ///     after the last attempt, nor for a `CancellationError`, which is never retried.
    ///   - makePromise: Makes the promise of one attempt; called for the first attempt on the thread that starts the
    ///     returned promise. A thrown error counts as a rejected attempt.
    /// - Returns: A promise of the first value; rejected with the error of the last attempt if none is fulfilled.
    public static func retry(
        attempts: Int, backoff: Backoff = .none, on scheduler: (any SerialScheduler)? = nil,
        where shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true },
        file: StaticString = #fileID, line: UInt = #line,
        _ makePromise: @escaping @Sendable () throws -> Promise
    ) -> Promise {
        let retrying = Retrying(
            attempts: attempts, backoff: backoff, scheduler: scheduler, origin: Origin(file, line),
            shouldRetry: shouldRetry, makePromise: makePromise)
        return Promise<Void>.value(()).flatMap({ retrying.attempt(1) }, file: file, line: line)
    }
}

/// The parameters of a `retry`, shared by all its attempts.
private struct Retrying<Value: Sendable>: Sendable {
    let attempts: Int
    let backoff: Backoff
    let scheduler: (any SerialScheduler)?
    let origin: Origin
    let shouldRetry: @Sendable (any Error) -> Bool
    let makePromise: @Sendable () throws -> Promise<Value>

    /// Makes the attempt with this number and, recursively, the attempts after it.
    func attempt(_ number: Int) -> Promise<Value> {
        make().chain(origin: origin) {
            $0.recover { failure in
                guard isRetryable(failure, after: number) else {
                    return Promise(failure.rejection)
                }
                // The next attempt handles this error, so it must not be reported.
                failure.forget()
                return next(after: number)
            }
        }
    }

    private func make() -> Promise<Value> {
        do { return try makePromise() } catch {
            return Promise(Rejection(error, origin))
        }
    }

    private func isRetryable(_ failure: Failure, after number: Int) -> Bool {
        let error = failure.rejection.error
        return number < attempts && !(error is CancellationError) && shouldRetry(error)
    }

    private func next(after number: Int) -> Promise<Value> {
        let delay = backoff.delay(afterAttempt: number)
        guard delay > .zero else { return attempt(number + 1) }
        return Promise<Void>.value(()).delay(delay, on: scheduler).flatMap { attempt(number + 1) }
    }
}
