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
            Output.self, transform, kind: Flags.listens, origin: Origin(file, line),
            leads: leads.map { Self.leads($0, transform) }
        ) { cell, source, verb in
            switch verb {
            case .fire:
                let transform = cell.takeWork(as: (@Sendable (Value) throws -> Output).self)
                guard !cell.isFailed(by: source) else { return _ = cell.reject(source.rejection) }
                cell.fulfill(from: source, as: Value.self, transform)
            case .interim:
                cell.report(
                    from: source, as: Value.self,
                    cell.borrowedWork(as: (@Sendable (Value) throws -> Output).self))
            case .dispose: cell.dispose(Output.self)
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
        let kind = Flags.listens
        return derive(Value.self, Handler(run: look), kind: kind, origin: Origin(file, line), leads: leads) {
            cell, source, verb in
            switch verb {
            case .fire:
                let look = cell.takeWork(as: Handler<Value>.self)
                guard !cell.isFailed(by: source) else { return _ = cell.reject(source.rejection) }
                let box = cell.input(from: source, as: Value.self)
                do {
                    try look.run(box.value)
                    cell.fulfill(box)
                } catch {
                    cell.reject(Rejection(error, cell.origin))
                }
            case .interim: _ = cell.report(source.box(of: Value.self))
            case .dispose: cell.dispose(Value.self)
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
        return derive(Output.self, next, kind: Flags.timed, origin: Origin(file, line)) {
            cell, source, verb in
            switch verb {
            case .fire:
                let transform = cell.takeWork(as: Continuation<Value, Output>.self).run
                guard !cell.isFailed(by: source) else { return _ = cell.reject(source.rejection) }
                do {
                    cell.follow(try cell.withInput(from: source, as: Value.self, transform))
                } catch {
                    cell.reject(Rejection(error, cell.origin))
                }
            case .interim: break
            case .dispose: cell.dispose(Output.self)
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
        let kind = Flags.timed | Flags.listens
        let next = Continuation(run: next)
        return derive(Value.self, next, kind: kind, origin: origin, leads: leads) { cell, source, verb in
            switch verb {
            case .fire:
                let next = cell.takeWork(as: Continuation<Outcome<Value>, Value>.self).run
                do {
                    cell.follow(try next(cell.outcome(from: source, of: Value.self)))
                } catch {
                    cell.reject(Rejection(error, cell.origin))
                }
            case .interim: _ = cell.report(source.box(of: Value.self))
            case .dispose: cell.dispose(Value.self)
            case .release: break
            }
        }
    }
}
