// These overloads are disfavored: for `on: .main` the compiler picks the main-actor overloads below, whose closures may
// access main-actor state.
extension Promise {
    /// Starts the promise and calls `handler` with its value on `scheduler`, never before this returns (except on
    /// ``ImmediateScheduler``).
    ///
    /// - Returns: A promise that settles there when the handler has returned; a thrown error rejects it.
    @_disfavoredOverload @discardableResult
    public func done(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Void
    ) -> Promise<Void> {
        receive(on: scheduler, file: file, line: line).done(file: file, line: line, handler)
    }

    /// Starts the promise and calls `handler` with its error on `scheduler`, never before this returns (except on
    /// ``ImmediateScheduler``).
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @_disfavoredOverload @discardableResult
    public func `catch`(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (any Error) -> Void
    ) -> Promise {
        receive(on: scheduler, file: file, line: line).catch(file: file, line: line, handler)
    }

    /// Starts the promise and calls `handler` on `scheduler` when it has settled, never before this returns
    /// (except on ``ImmediateScheduler``). An error does not count as handled.
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @_disfavoredOverload @discardableResult
    public func finally(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () -> Void
    ) -> Promise {
        receive(on: scheduler, file: file, line: line).finally(file: file, line: line, handler)
    }

    /// Starts the promise and calls `handler` with its outcome on `scheduler`, never before this returns (except on
    /// ``ImmediateScheduler``). An error counts as handled.
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @_disfavoredOverload @discardableResult
    public func onResult(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise {
        receive(on: scheduler, file: file, line: line).onResult(file: file, line: line, handler)
    }

    /// Starts the promise and calls `handler` with every interim value on `scheduler`, including leading ones, before
    /// the outcome; never before this returns (except on ``ImmediateScheduler``).
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @_disfavoredOverload @discardableResult
    public func onInterim(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) -> Void
    ) -> Promise {
        let first = leadingBoxes
        if !first.isEmpty {
            scheduler.schedule(after: .zero, ScheduledWork.once { for box in first { handler(box.value) } })
        }
        // Without the leading interim values, which `onInterim` would deliver on the calling thread.
        return receive(on: scheduler, file: file, line: line).led(by: nil)
            .onInterim(file: file, line: line, handler).led(by: leadingInterims)
    }

    // MARK: On the main actor

    /// Starts the promise and calls `handler` with its value on the main actor, never before this returns.
    ///
    /// - Returns: A promise that settles there when the handler has returned; a thrown error rejects it.
    @discardableResult
    public func done(
        on scheduler: MainScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor (Value) throws -> Void
    ) -> Promise<Void> {
        receive(on: scheduler, file: file, line: line).done(file: file, line: line) { value in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

    /// Starts the promise and calls `handler` with its error on the main actor, never before this returns.
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @discardableResult
    public func `catch`(
        on scheduler: MainScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor (any Error) -> Void
    ) -> Promise {
        receive(on: scheduler, file: file, line: line).catch(file: file, line: line) { error in
            MainActor.assumeIsolated { handler(error) }
        }
    }

    /// Starts the promise and calls `handler` on the main actor when it has settled, never before this
    /// returns. An error does not count as handled.
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @discardableResult
    public func finally(
        on scheduler: MainScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor () -> Void
    ) -> Promise {
        receive(on: scheduler, file: file, line: line).finally(file: file, line: line) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Starts the promise and calls `handler` with its outcome on the main actor, never before this returns. An
    /// error counts as handled.
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @discardableResult
    public func onResult(
        on scheduler: MainScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor (Result<Value, any Error>) -> Void
    ) -> Promise {
        receive(on: scheduler, file: file, line: line).onResult(file: file, line: line) { result in
            MainActor.assumeIsolated { handler(result) }
        }
    }

    /// Starts the promise and calls `handler` with every interim value on the main actor, including leading ones,
    /// before the outcome; never before this returns.
    ///
    /// - Returns: A promise with the same outcome, settled there.
    @discardableResult
    public func onInterim(
        on scheduler: MainScheduler, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor (Value) -> Void
    ) -> Promise {
        let anyScheduler: any SerialScheduler = scheduler
        return onInterim(on: anyScheduler, file: file, line: line) { value in
            MainActor.assumeIsolated { handler(value) }
        }
    }
}
