extension Promise {
    /// Starts the promise without observing its outcome.
    ///
    /// This counts as an observer of its own: the work continues when all other observers are cancelled, until
    /// ``cancel()`` is called. Calling it again is a no-op. The work begins on the calling thread before this
    /// returns, or, when called inside a handler, after that handler has returned. The cost is linear in the number
    /// of upstream promises that have not been started.
    ///
    /// - Returns: The promise itself.
    @discardableResult
    public func start() -> Promise {
        begin(on: nil, hop: false)
        return self
    }

    /// Starts the promise on `scheduler`: its work begins there, and its delays and `async` work run there.
    ///
    /// A promise that has already been started keeps its scheduler. If the caller runs on `scheduler`, the work
    /// begins without a hop. Like ``start()`` it counts as an observer, at the same cost.
    ///
    /// - Returns: The promise itself.
    @discardableResult
    public func start(on scheduler: some SerialScheduler) -> Promise {
        begin(on: scheduler, hop: true)
        return self
    }

    private func begin(on scheduler: (any SerialScheduler)?, hop: Bool) {
        switch representation {
        case .word: break
        case .rejected(let rejection): rejection.markReportable()
        case .storage(let reference): reference.storage.startRetained(on: scheduler, hop: hop)
        }
    }

    /// Rejects the promise with `CancellationError` if it has not settled, and stops observing its upstream: work
    /// without other observers is cancelled too.
    ///
    /// A promise that has not been started will never start its work. Other promises that wait for the same work are
    /// not affected. Handlers and ``Resolver/onCancel(_:)`` closures run on the calling thread. On a settled promise
    /// this is a no-op. The cost is linear in the number of upstream promises that have no other observers.
    public func cancel() {
        guard case .storage(let reference) = representation else { return }
        reference.storage.cancel()
    }

    /// The outcome, or nil while the promise is pending. Reading it does not start the promise; it marks an error as
    /// handled.
    public var result: Result<Value, any Error>? {
        settledOutcome?.result
    }

    /// Starts the promise and calls `handler` with its value.
    ///
    /// - Parameter handler: Runs once, on the thread that settles the promise, in the order in which handlers were
    ///   attached. A thrown error rejects the returned promise.
    /// - Returns: A promise that is fulfilled when the handler has returned, so that `catch` can follow. It is
    ///   already started; releasing it does not cancel anything.
    @inlinable @inline(__always)
    @discardableResult
    public func done(
        file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Void
    ) -> Promise<Void> {
        guard let box = immediateValue() else { return attach(handler, Origin(file, line)) }
        defer { Trampoline.end() }
        do {
            try handler(box.value)
            return .value(())
        } catch {
            return Promise<Void>(representation: .rejected(.reportable(error, Origin(file, line))))
        }
    }

    /// The value, if the promise is fulfilled or becomes so by starting it synchronously, and the trampoline of this
    /// thread is idle. A non-nil result has begun a delivery, which the caller must end by `Trampoline.end()`.
    @inlinable
    func immediateValue() -> ValueBox<Value>? {
        switch representation {
        case .word(let word): Trampoline.begin() ? ValueBox(content: .word(word)) : nil
        case .rejected: nil
        case .storage(let reference):
            Unmanaged.passUnretained(reference.storage)._withUnsafeGuaranteedRef {
                $0.settleSynchronously() ? $0.box(of: Value.self) : nil
            }
        }
    }

    // Also calls the closure directly for an inline value: otherwise the closure's context would be heap-allocated
    // before it is known whether the closure escapes.
    @inlinable @inline(never)
    func attach(_ handler: @escaping @Sendable (Value) throws -> Void, _ origin: Origin) -> Promise<Void> {
        guard case .word(let word) = representation, Trampoline.begin() else { return list(handler, origin) }
        defer { Trampoline.end() }
        do {
            try handler(word.value(as: Value.self))
            return .value(())
        } catch {
            return Promise<Void>(representation: .rejected(.reportable(error, origin)))
        }
    }

    @inlinable @inline(__always)
    func list(
        _ handler: @escaping @Sendable (Value) throws -> Void, _ origin: Origin
    ) -> Promise<Void> {
        let trampoline = Trampoline.current
        let handled = derivedStorage(
            Void.self, Handler(run: handler), kind: trampoline.handlerFlags, origin: origin
        ) {
            storage, source, verb in
            switch verb {
            case .fire:
                let handler = storage.takeWork(as: Handler<Value>.self).run
                guard !storage.isFailed(by: source) else { return _ = storage.reject(source.rejection) }
                do {
                    try storage.withInput(from: source, as: Value.self, handler)
                    storage.end()
                } catch {
                    storage.reject(Rejection(error, storage.origin))
                }
            case .interim, .dispose, .release: break
            }
        }
        handled.observeUpstream(in: trampoline)
        return Promise<Void>(storage: handled)
    }

    /// Starts the promise and calls `handler` with its error, including `CancellationError`.
    ///
    /// - Parameter handler: Runs once, on the thread that settles the promise, in the order in which handlers were
    ///   attached. The error counts as handled.
    /// - Returns: A promise with the same outcome. It is already started; releasing it does not cancel anything.
    @discardableResult
    public func `catch`(
        file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping @Sendable (any Error) -> Void
    ) -> Promise {
        observing(Origin(file, line)) { if case .rejected(let failure) = $0 { handler(failure.error) } }
    }

    /// Starts the promise and calls `handler` when it has been fulfilled, rejected or cancelled.
    ///
    /// - Parameter handler: Runs once, on the thread that settles the promise, in the order in which handlers were
    ///   attached. An error does not count as handled.
    /// - Returns: A promise with the same outcome. It is already started; releasing it does not cancel anything.
    @discardableResult
    public func finally(
        file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping @Sendable () -> Void
    ) -> Promise {
        observing(Origin(file, line)) { _ in handler() }
    }

    /// Starts the promise and calls `handler` with its outcome: the value, or the error, including
    /// `CancellationError`.
    ///
    /// ```swift
    /// Promise.value(1).onResult { print($0) }
    /// ```
    ///
    /// - Parameter handler: Runs once, on the thread that settles the promise, in the order in which handlers were
    ///   attached. An error counts as handled.
    /// - Returns: A promise with the same outcome. It is already started; releasing it does not cancel anything.
    @discardableResult
    public func onResult(
        file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise {
        observing(Origin(file, line)) { handler($0.result) }
    }

    private func observing(
        _ origin: Origin, _ handler: @escaping @Sendable (Outcome<Value>) -> Void
    ) -> Promise {
        let kind = Flags.wantsInterims | Trampoline.current.handlerFlags
        let handled = derive(
            Value.self, Observer(run: handler), kind: kind, origin: origin, leadingInterims: leadingInterims
        ) { storage, source, verb in
            switch verb {
            case .fire:
                let outcome = storage.outcome(from: source, of: Value.self)
                storage.takeWork(as: Observer<Outcome<Value>>.self).run(outcome)
                storage.settle(outcome)
            case .interim: _ = storage.report(source.box(of: Value.self))
            case .dispose: storage.dispose(Value.self)
            case .release: break
            }
        }
        handled.observeUpstream()
        return handled
    }

    @inlinable
    func observeUpstream() {
        if case .storage(let reference) = representation {
            Unmanaged.passUnretained(reference.storage)._withUnsafeGuaranteedRef { $0.observeUpstream() }
        }
    }

    /// Starts the promise and calls `handler` with every interim value, including leading ones, before the outcome.
    ///
    /// The cost is linear in the number of leading interim values (see ``interim(_:)``).
    ///
    /// - Parameter handler: Runs on the thread that reports the value, in the order of the reports; for leading
    ///   interim values on the calling thread.
    /// - Returns: A promise with the same outcome. It is already started; releasing it does not cancel anything.
    @discardableResult
    public func onInterim(
        file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping @Sendable (Value) -> Void
    ) -> Promise {
        let first = leadingBoxes
        // Through the trampoline, like every delivery, so that the handler never runs inside another handler.
        if !first.isEmpty { Promise<Void>.value(()).done { for box in first { handler(box.value) } } }
        let kind = Flags.wantsInterims | Trampoline.current.handlerFlags
        let origin = Origin(file, line)
        let handled = derive(
            Value.self, Observer(run: handler), kind: kind, origin: origin, leadingInterims: leadingInterims
        ) { storage, source, verb in
            switch verb {
            case .fire:
                _ = storage.takeWork(as: Observer<Value>.self)
                storage.settle(storage.outcome(from: source, of: Value.self))
            case .interim:
                let box = source.box(of: Value.self)
                storage.borrowedWork(as: Observer<Value>.self).run(box.value)
                _ = storage.report(box)
            case .dispose: storage.dispose(Value.self)
            case .release: break
            }
        }
        handled.observeUpstream()
        return handled
    }
}
