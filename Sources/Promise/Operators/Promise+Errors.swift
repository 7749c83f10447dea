extension Promise {
    /// Transforms the error. A value passes by, and `transform` is not called.
    ///
    /// Interim values are kept.
    ///
    /// - Parameter transform: Runs once, where the promise is settled. If it throws, that error is taken.
    public func mapError(
        _ transform: @escaping @Sendable (any Error) throws -> any Error, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        chain(origin: Origin(file, line)) { outcome in
            guard case .rejected(let failure) = outcome else { return Promise(outcome: outcome) }
            return Promise(representation: .rejected(Rejection(try transform(failure.error), failure.origin)))
        }
    }

    /// Makes a value of the error, so that the promise is fulfilled after all. A value passes by, and
    /// `transform` is not called.
    ///
    /// Interim values are kept.
    ///
    /// - Parameter transform: Runs once, where the promise is settled. A throw rejects.
    public func mapErrorRecover(
        _ transform: @escaping @Sendable (any Error) throws -> Value, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        chain(origin: Origin(file, line)) { outcome in
            guard case .rejected(let failure) = outcome else { return Promise(outcome: outcome) }
            return .value(try transform(failure.error))
        }
    }

    /// Goes on with another promise when this one is rejected. A value passes by.
    ///
    /// Interim values are kept, those of this promise and then those of the other, which is started on the
    /// scheduler of the chain.
    ///
    /// - Parameter next: Makes the promise to go on with; runs once, where this one is settled. A throw
    ///   rejects.
    public func recover(
        _ next: @escaping @Sendable (any Error) throws -> Promise, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        chain(origin: Origin(file, line)) { outcome in
            guard case .rejected(let failure) = outcome else { return Promise(outcome: outcome) }
            return try next(failure.error)
        }
    }

    @inlinable
    init(outcome: Outcome<Value>) {
        switch outcome {
        case .fulfilled(let box): self.init(box)
        case .rejected(let failure): self.init(representation: .rejected(failure.rejection))
        }
    }

    /// Runs `body` once the promise is fulfilled, rejected or cancelled, and then goes on with that outcome.
    ///
    /// Interim values are kept.
    ///
    /// - Parameter body: Runs once, where the promise is settled; also when the promise that this returns is
    ///   cancelled while it waits, after the work was told to stop, on the thread that cancels. A throw
    ///   rejects, in place of the outcome; after a cancellation, which stays the outcome, it goes to
    ///   ``PromiseDiagnostics``.
    public func ensure(
        _ body: @escaping @Sendable () throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        let origin = Origin(file, line)
        return relay(origin: origin) { resolver, _ in
            let once = Lock(Optional(ThrowingAction(run: body)))
            @Sendable func run() throws {
                try once.withLock { body in
                    defer { body = nil }
                    return body
                }?.run()
            }
            return Relay(
                interim: { resolver.report($0) },
                outcome: { outcome in
                    do {
                        try run()
                        resolver.resolve(outcome)
                    } catch {
                        // Cancelled by its own body: the cancellation stays the outcome, and the throw is reported.
                        if !resolver.reject(error) { _ = Rejection.reportable(error, origin) }
                    }
                },
                cancelled: run)
        }
    }
}

/// As `Action`, for a closure that may throw.
private struct ThrowingAction: Sendable {
    let run: @Sendable () throws -> Void
}
