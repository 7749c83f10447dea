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
        reference?.storage.startRetained(on: scheduler, hop: hop)
    }

    /// Rejects the promise with `CancellationError` if it has not settled, and stops observing its upstream: work
    /// without other observers is cancelled too.
    ///
    /// A promise that has not been started will never start its work. Other promises that wait for the same work are
    /// not affected. Handlers and ``Resolver/onCancel(_:)`` closures run on the calling thread. On a settled promise
    /// this is a no-op. The cost is linear in the number of upstream promises that have no other observers.
    public func cancel() {
        reference?.storage.cancel()
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
        if let storage = reference?.storage {
            guard storage.settleSynchronously() else { return attach(handler, Origin(file, line)) }
            return .delivering(Origin(file, line)) { try handler(storage.value(as: Value.self)) }
        }
        guard Trampoline.begin() else { return attach(handler, Origin(file, line)) }
        return .delivering(Origin(file, line)) { try handler(inlineValue.value(as: Value.self)) }
    }

    /// Calls a handler on the caller's stack and ends the delivery, which the caller has begun.
    @inlinable @inline(__always)
    static func delivering(_ origin: Origin, _ body: () throws -> Void) -> Promise where Value == Void {
        defer { Trampoline.end() }
        do {
            try body()
            return .value(())
        } catch {
            return failed(error, origin)
        }
    }

    @usableFromInline
    static func failed(_ error: any Error, _ origin: Origin) -> Promise {
        Promise(.reportable(error, origin))
    }

    // Also calls the closure directly for an inline value: otherwise the closure's context would be heap-allocated
    // before it is known whether the closure escapes.
    @inlinable @inline(never)
    func attach(_ handler: @escaping @Sendable (Value) throws -> Void, _ origin: Origin) -> Promise<Void> {
        guard reference == nil, Trampoline.begin() else { return list(handler, origin) }
        return .delivering(origin) { try handler(inlineValue.value(as: Value.self)) }
    }

    @inlinable @inline(__always)
    func list(
        _ handler: @escaping @Sendable (Value) throws -> Void, _ origin: Origin
    ) -> Promise<Void> {
        let trampoline = Trampoline.current
        let handled = derivedStorage(
            Void.self, Handler(run: handler), kind: trampoline.handlerFlags, origin: origin
        ) { storage, source, event in
            guard case .fire = event else { return }
            storage.fire(Handler<Value>.self, from: source) {
                try storage.withInput(from: source, as: Value.self, $0.run)
                storage.end()
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
        observing(Origin(file, line)) {
            if case .outcome(.rejected(let failure)) = $0 { handler(failure.error) }
        }
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
        observing(Origin(file, line)) { if case .outcome = $0 { handler() } }
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
        observing(Origin(file, line)) { if case .outcome(let outcome) = $0 { handler(outcome.result) } }
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
        return observing(Origin(file, line)) { if case .interim(let box) = $0 { handler(box.value) } }
    }

    /// Starts the promise and calls `handler` with what it reports from now on; what it returns passes that on.
    private func observing(
        _ origin: Origin, _ handler: @escaping @Sendable (Update<Value>) -> Void
    ) -> Promise {
        let storage = derivedStorage(
            Value.self, Observer(run: handler), kind: .wantsInterims | Trampoline.current.handlerFlags,
            origin: origin
        ) { storage, source, event in
            switch event {
            case .fire:
                let outcome = storage.outcome(from: source, of: Value.self)
                storage.takeWork(as: Observer<Value>.self).run(.outcome(outcome))
                storage.settle(outcome)
            case .interim:
                storage.borrowedWork(as: Observer<Value>.self).run(.interim(source.box(of: Value.self)))
                storage.relay(Value.self, from: source, on: event)
            case .dispose, .release: storage.dispose(Value.self, on: event)
            }
        }
        storage.observeUpstream()
        return Promise(storage: storage, leadingInterims: leadingInterims)
    }
}
