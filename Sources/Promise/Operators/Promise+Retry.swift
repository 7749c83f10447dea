extension Promise {
    /// Tries several times: makes a promise, and another one when that is rejected, until one is fulfilled.
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
    /// Nothing is made before the promise is started, and one attempt is over before the next is made. The
    /// errors that another attempt follows count as seen. Interim values of every attempt are passed on.
    /// Cancelling the promise cancels the running attempt, unless somebody else is interested in it, or calls
    /// off the wait; a cancelled attempt is not repeated. However many attempts there are, they take constant
    /// stack and constant memory.
    ///
    /// - Parameters:
    ///   - attempts: How many promises to make at most; less than 1 counts as 1.
    ///   - backoff: How long to wait after each rejection. Without a wait the next attempt is made where the
    ///     last one was rejected.
    ///   - scheduler: On whose clock to wait, and where the attempts after a wait are made; by default the
    ///     scheduler of the chain.
    ///   - shouldRetry: Whether another attempt may mend this error; asked where the attempt was rejected. Not
    ///     asked for the last attempt, nor for a `CancellationError`, which is never mended so.
    ///   - makePromise: Makes one attempt; the first where the promise is started. A throw counts as a
    ///     rejected one.
    /// - Returns: A promise of the first value, else rejected with the error of the last attempt.
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

/// What all attempts of a `retry` have in common.
private struct Retrying<Value: Sendable>: Sendable {
    let attempts: Int
    let backoff: Backoff
    let scheduler: (any SerialScheduler)?
    let origin: Origin
    let shouldRetry: @Sendable (any Error) -> Bool
    let makePromise: @Sendable () throws -> Promise<Value>

    /// The attempt of this number and, in a loop written by recursion, those that follow it.
    func attempt(_ number: Int) -> Promise<Value> {
        make().chain(origin: origin) { outcome in
            guard case .rejected(let failure) = outcome, isWorthAnother(failure, number) else {
                return Promise(outcome: outcome)
            }
            // Not the error of the whole any more: it has been dealt with.
            _ = failure.rejection.markHandled()
            return next(after: number)
        }
    }

    private func make() -> Promise<Value> {
        do { return try makePromise() } catch {
            return Promise(representation: .rejected(Rejection(error, origin)))
        }
    }

    private func isWorthAnother(_ failure: Failure, _ number: Int) -> Bool {
        let error = failure.rejection.error
        return number < attempts && !(error is CancellationError) && shouldRetry(error)
    }

    private func next(after number: Int) -> Promise<Value> {
        let delay = backoff.delay(afterAttempt: number)
        guard delay > .zero else { return attempt(number + 1) }
        return Promise<Void>.value(()).delay(delay, on: scheduler).flatMap { attempt(number + 1) }
    }
}
