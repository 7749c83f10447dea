extension Promise {
    /// Transforms the error. A value is passed through, and `transform` is not called.
    ///
    /// Interim values are forwarded.
    ///
    /// - Parameter transform: Runs once, on the thread that settles the promise. If it throws, the promise is rejected
    ///   with the thrown error instead.
    public func mapError(
        _ transform: @escaping @Sendable (any Error) throws -> any Error, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        chain(origin: Origin(file, line)) {
            try $0.recover {
                Promise(Rejection(try transform($0.error), $0.origin))
            }
        }
    }

    /// Replaces the error by a value, so that the promise is fulfilled. A value is passed through, and `transform` is
    /// not called.
    ///
    /// Interim values are forwarded. To recover with another promise, use ``recover(_:file:line:)``.
    ///
    /// - Parameter transform: Runs once, on the thread that settles the promise. A thrown error rejects the promise.
    public func mapErrorRecover(
        _ transform: @escaping @Sendable (any Error) throws -> Value, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        chain(origin: Origin(file, line)) { try $0.recover { .value(try transform($0.error)) } }
    }

    /// Recovers from an error with another promise. A value is passed through, and `next` is not called.
    ///
    /// The interim values of this promise are forwarded, then those of the other promise, which inherits the scheduler
    /// of the chain.
    ///
    /// - Parameter next: Makes the promise to continue with. Runs once, on the thread that rejects this promise. A
    ///   thrown error rejects the returned promise.
    public func recover(
        _ next: @escaping @Sendable (any Error) throws -> Promise, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        chain(origin: Origin(file, line)) { try $0.recover { try next($0.error) } }
    }

    /// Runs `body` when the promise has been fulfilled, rejected or cancelled, and then passes the outcome through.
    ///
    /// Interim values are forwarded.
    ///
    /// - Parameter body: Runs once, on the thread that settles the promise. If the returned promise is cancelled while
    ///   pending, `body` runs on the cancelling thread, after the upstream work has been cancelled. A thrown error
    ///   replaces the outcome; after a cancellation, which stays the outcome, it is reported to
    ///   ``PromiseDiagnostics``.
    public func ensure(
        _ body: @escaping @Sendable () throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        let origin = Origin(file, line)
        return relay(origin: origin) { resolver, _ in
            let body = Lock(Optional(ThrowingAction(run: body)))
            let scheduler = resolver.handle.reference.storage.scheduler
            @Sendable func run() throws {
                try Trampoline.current.inherit(scheduler) { try body.exchange(for: nil)?.run() }
            }
            return Relay(
                outcome: { outcome in
                    do {
                        try run()
                        resolver.resolve(outcome)
                    } catch {
                        // Cancelled by its own body: the cancellation stays the outcome, and the error is reported.
                        if !resolver.reject(error) { _ = Rejection.reportable(error, origin) }
                    }
                },
                cancelled: run)
        }
    }
}

extension Outcome {
    /// A promise of the value, or the one that `next` makes from the error.
    func recover(_ next: (Failure) throws -> Promise<Value>) rethrows -> Promise<Value> {
        switch self {
        case .fulfilled(let box): Promise(box)
        case .rejected(let failure): try next(failure)
        }
    }
}

/// Like `Action`, for a closure that may throw.
private struct ThrowingAction: Sendable {
    let run: @Sendable () throws -> Void
}
