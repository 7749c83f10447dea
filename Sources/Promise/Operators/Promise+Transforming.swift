extension Promise {
    /// Transforms the value.
    ///
    /// Interim values are transformed too; one for which `transform` throws is skipped. An error passes by.
    /// The cost is linear in the number of values at the very start (see ``interim(_:)``), constant without.
    ///
    /// - Parameter transform: Runs once, where the promise is settled, and once for each interim value. A
    ///   throw rejects.
    @inlinable
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise<Output> {
        derive(
            Output.self, transform, kind: Flags.wantsInterims, origin: Origin(file, line),
            leadingInterims: leadingInterims.map { Self.leadingInterims($0, transform) }
        ) { storage, source, verb in
            switch verb {
            case .fire:
                let transform = storage.takeWork(as: (@Sendable (Value) throws -> Output).self)
                guard !storage.isFailed(by: source) else { return _ = storage.reject(source.rejection) }
                storage.fulfill(from: source, as: Value.self, transform)
            case .interim:
                storage.report(
                    from: source, as: Value.self,
                    storage.borrowedWork(as: (@Sendable (Value) throws -> Output).self))
            case .dispose: storage.dispose(Output.self)
            case .release: break
            }
        }
    }

    /// Looks at the value and passes it on.
    ///
    /// ```swift
    /// let price = Promise.value(120).tap { print("loaded", $0) }.map { $0 * 2 }
    /// print(try await price.value)
    /// ```
    ///
    /// Unlike ``done(file:line:_:)`` it starts nothing. Interim values are kept, and `look` does not see
    /// them. An error passes by, and does not count as seen.
    ///
    /// - Parameter look: Runs once, where the promise is settled. A throw rejects.
    @inlinable
    public func tap(
        _ look: @escaping @Sendable (Value) throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        let kind = Flags.wantsInterims
        return derive(
            Value.self, Handler(run: look), kind: kind, origin: Origin(file, line),
            leadingInterims: leadingInterims
        ) {
            storage, source, verb in
            switch verb {
            case .fire:
                let look = storage.takeWork(as: Handler<Value>.self)
                guard !storage.isFailed(by: source) else { return _ = storage.reject(source.rejection) }
                let box = storage.input(from: source, as: Value.self)
                do {
                    try look.run(box.value)
                    storage.fulfill(box)
                } catch {
                    storage.reject(Rejection(error, storage.origin))
                }
            case .interim: _ = storage.report(source.box(of: Value.self))
            case .dispose: storage.dispose(Value.self)
            case .release: break
            }
        }
    }

    /// Goes on with the promise that `transform` makes of the value.
    ///
    /// The next promise is started when this one is fulfilled, never before, on the scheduler of the chain.
    /// Its interim values are passed on, this one's are not: they have another type. An error passes by, and
    /// `transform` is not called.
    ///
    /// A promise that goes on with a promise that goes on with a promise…, as a loop written by recursion
    /// does, takes constant stack and constant memory.
    ///
    /// - Parameter transform: Runs once, where this promise is settled. A throw rejects.
    @inlinable
    public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Promise<Output>, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise<Output> {
        let next = Continuation(run: transform)
        return derive(Output.self, next, kind: Flags.hasScheduler, origin: Origin(file, line)) {
            storage, source, verb in
            switch verb {
            case .fire:
                let transform = storage.takeWork(as: Continuation<Value, Output>.self).run
                guard !storage.isFailed(by: source) else { return _ = storage.reject(source.rejection) }
                do {
                    storage.resolve(try storage.withInput(from: source, as: Value.self, transform))
                } catch {
                    storage.reject(Rejection(error, storage.origin))
                }
            case .interim: break
            case .dispose: storage.dispose(Output.self)
            case .release: break
            }
        }
    }

    /// Goes on with the promise that `transform` makes of the value: ``flatMap(_:file:line:)`` by its other name.
    @inlinable
    public func then<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Promise<Output>, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise<Output> {
        flatMap(transform, file: file, line: line)
    }

    /// Goes on with the promise that `next` makes of the outcome, whatever it is; interim values pass by.
    @inlinable
    func chain(
        origin: Origin, _ next: @escaping @Sendable (Outcome<Value>) throws -> Promise
    ) -> Promise {
        let kind = Flags.hasScheduler | Flags.wantsInterims
        let next = Continuation(run: next)
        return derive(Value.self, next, kind: kind, origin: origin, leadingInterims: leadingInterims) {
            storage, source, verb in
            switch verb {
            case .fire:
                let next = storage.takeWork(as: Continuation<Outcome<Value>, Value>.self).run
                do {
                    storage.resolve(try next(storage.outcome(from: source, of: Value.self)))
                } catch {
                    storage.reject(Rejection(error, storage.origin))
                }
            case .interim: _ = storage.report(source.box(of: Value.self))
            case .dispose: storage.dispose(Value.self)
            case .release: break
            }
        }
    }
}
