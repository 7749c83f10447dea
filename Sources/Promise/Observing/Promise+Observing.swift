extension Promise {
    /// Starts the promise, without looking at the outcome.
    ///
    /// That is an interest of its own: the work then goes on whoever else gives up, until ``cancel()``. The work
    /// begins on the calling thread, before this returns, or, inside a handler, when that has returned. The cost
    /// is linear in the number of promises above that have not been started.
    ///
    /// - Returns: The promise itself.
    @discardableResult
    public func start() -> Promise {
        begin(on: nil, hop: false)
        return self
    }

    /// Starts the promise on `scheduler`: its work begins there, and its delays and `async` work run there.
    ///
    /// A promise that was started before stays where it is. When the caller is on that scheduler, the work begins
    /// at once. The cost is that of ``start()``.
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
        case .storage(let reference): reference.storage.startForGood(on: scheduler, hop: hop)
        }
    }

    /// Rejects the promise with `CancellationError` if it has not settled, and withdraws its interest in what
    /// it waits for: work that nobody is interested in any more is told to stop.
    ///
    /// A promise that was not started never will be. Other promises that wait for the same work go on. Handlers
    /// and ``Resolver/onCancel(_:)`` run on the calling thread. The cost is linear in the number of promises
    /// above that nobody else is interested in.
    public func cancel() {
        guard case .storage(let reference) = representation else { return }
        reference.storage.cancel()
    }

    /// The outcome, or nil while there is none. Does not start the promise; an error counts as seen.
    public var result: Result<Value, any Error>? {
        settledOutcome?.result
    }

    /// Starts the promise and calls `handler` with its value.
    ///
    /// - Parameter handler: Runs once, where the promise is settled, in the order in which handlers were
    ///   attached. A throw rejects the promise that this returns.
    /// - Returns: A promise of the handler's end, so that `catch` can follow. It is running already; letting
    ///   go of it changes nothing.
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

    /// The value, if it is there or comes by starting right now, and nothing else is being delivered on this
    /// thread; then a delivery has begun, to be ended by `handle`.
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

    // The closure is applied in here as well, or its context would be allocated before it is known whether
    // it must be kept.
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

    /// Starts the promise and calls `handler` with its error, cancellation included.
    ///
    /// - Parameter handler: Runs once, where the promise is settled, in the order in which handlers were
    ///   attached.
    /// - Returns: A promise with the same outcome. It is running already; letting go of it changes nothing.
    @discardableResult
    public func `catch`(
        file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping @Sendable (any Error) -> Void
    ) -> Promise {
        observing(Origin(file, line)) { if case .rejected(let failure) = $0 { handler(failure.error) } }
    }

    /// Starts the promise and calls `handler` when it has settled, in whatever way.
    ///
    /// - Parameter handler: Runs once, where the promise is settled, in the order in which handlers were
    ///   attached. An error does not count as seen.
    /// - Returns: A promise with the same outcome. It is running already; letting go of it changes nothing.
    @discardableResult
    public func finally(
        file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping @Sendable () -> Void
    ) -> Promise {
        observing(Origin(file, line)) { _ in handler() }
    }

    /// Starts the promise and calls `handler` with what became of it: value or error, cancellation included.
    ///
    /// ```swift
    /// Promise.value(1).onResult { print($0) }
    /// ```
    ///
    /// - Parameter handler: Runs once, where the promise is settled, in the order in which handlers were
    ///   attached. An error counts as seen.
    /// - Returns: A promise with the same outcome. It is running already; letting go of it changes nothing.
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

    /// Starts the promise and calls `handler` with every interim value, the one at the very start included,
    /// before the outcome.
    ///
    /// The cost is linear in the number of values at the very start (see ``interim(_:)``).
    ///
    /// - Parameter handler: Runs where the value is reported, in the order of the reports; for values at the
    ///   very start on the calling thread.
    /// - Returns: A promise with the same outcome. It is running already; letting go of it changes nothing.
    @discardableResult
    public func onInterim(
        file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping @Sendable (Value) -> Void
    ) -> Promise {
        let first = leadingBoxes
        // In the thread's order, as every delivery: not inside another handler.
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
