extension Promise {
    /// Transforms the value.
    ///
    /// Interim values are transformed too; one for which `transform` throws is skipped. An error is passed through. The
    /// cost is linear in the number of leading interim values (see ``interim(_:)``), and constant without any.
    ///
    /// - Parameter transform: Runs once for the value, on the thread that settles the promise, and once for each
    ///   interim value. An error thrown for the value rejects the returned promise.
    @inlinable @inline(__always)
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise<Output> {
        derive(
            Output.self, transform, kind: .hasScheduler | .wantsInterims, origin: Origin(file, line),
            leadingInterims: leadingInterims.map { Self.leadingInterims($0, transform) }
        ) { storage, source, event in
            typealias Transform = @Sendable (Value) throws -> Output
            switch event {
            case .fire:
                storage.fire(Transform.self, from: source) {
                    try storage.fulfill(from: source, as: Value.self, $0)
                }
            case .interim:
                storage.report(from: source, as: Value.self, storage.borrowedWork(as: Transform.self))
            case .dispose, .release: storage.dispose(Output.self, on: event)
            }
        }
    }

    /// Calls a closure with the value and passes the value through.
    ///
    /// ```swift
    /// let price = Promise.value(120).tap { print("loaded", $0) }.map { $0 * 2 }
    /// print(try await price.value)
    /// ```
    ///
    /// Unlike ``done(file:line:_:)`` it does not start the promise. Interim values are forwarded without calling
    /// `look`. An error is passed through and does not count as handled.
    ///
    /// - Parameter look: Runs once, on the thread that settles the promise. A thrown error rejects the returned
    ///   promise.
    public func tap(
        _ look: @escaping @Sendable (Value) throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        derive(
            Value.self, Handler(run: look), kind: .hasScheduler | .wantsInterims, origin: Origin(file, line),
            leadingInterims: leadingInterims
        ) { storage, source, event in
            guard case .fire = event else { return storage.relay(Value.self, from: source, on: event) }
            storage.fire(Handler<Value>.self, from: source) { look in
                let box = storage.input(from: source, as: Value.self)
                try look.run(box.value)
                storage.fulfill(box)
            }
        }
    }

    /// Continues with the promise that `transform` makes from the value.
    ///
    /// The next promise is started when this one is fulfilled, never before, on the scheduler of the chain. Its interim
    /// values are forwarded; those of this promise are dropped, as they have another type. An error is passed through,
    /// and `transform` is not called.
    ///
    /// Recursive `flatMap`s, such as a loop written as a recursive function, run in constant stack and memory.
    ///
    /// - Parameter transform: Runs once, on the thread that settles this promise. A thrown error rejects the returned
    ///   promise.
    @inlinable
    public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Promise<Output>, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise<Output> {
        derive(
            Output.self, Continuation(run: transform), kind: .forwards, origin: Origin(file, line)
        ) { storage, source, event in
            guard case .fire = event else { return storage.dispose(Output.self, on: event) }
            storage.fire(Continuation<Value, Output>.self, from: source) {
                storage.resolve(try storage.withInput(from: source, as: Value.self, $0.run))
            }
        }
    }

    /// Continues with the promise that `transform` makes from the value: an alias of ``flatMap(_:file:line:)``.
    @inlinable
    public func then<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Promise<Output>, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise<Output> {
        flatMap(transform, file: file, line: line)
    }

    /// Continues with the promise that `next` makes from the outcome, value or error; interim values are forwarded.
    func chain(
        origin: Origin, _ next: @escaping @Sendable (Outcome<Value>) throws -> Promise
    ) -> Promise {
        derive(
            Value.self, Continuation(run: next), kind: .forwards | .wantsInterims, origin: origin,
            leadingInterims: leadingInterims
        ) { storage, source, event in
            guard case .fire = event else { return storage.relay(Value.self, from: source, on: event) }
            let next = storage.takeWork(as: Continuation<Outcome<Value>, Value>.self).run
            do {
                storage.resolve(try next(storage.outcome(from: source, of: Value.self)))
            } catch {
                storage.reject(error)
            }
        }
    }
}
