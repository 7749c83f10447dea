extension PromiseStorage {
    /// Rejects with an error; a no-op that returns false if the outcome was claimed before.
    @discardableResult
    func reject(_ rejection: Rejection) -> Bool {
        guard let before = claim(.rejected) else { return false }
        write(rejection, reportable: before.contains(.started))
        publish()
        // A concurrent starter may have looked before the error was published.
        if has(.started) { rejection.markReportable() }
        return true
    }

    /// Settles a handler that has fired: like `fulfill(())`, but without atomic read-modify-write if it is uniquely
    /// referenced.
    @usableFromInline
    func end() {
        guard isUniquelyReferenced, hasNoWaiters, !isClaimed else { return _ = fulfill(()) }
        insertUnshared(.claimed)
    }

    /// Rejects with an error that the work has thrown.
    @usableFromInline
    func reject(_ error: any Error) { reject(Rejection(error, origin)) }

    static func rejected(_ rejection: Rejection) -> PromiseStorage {
        PromiseStorage.make(
            Void.self, flags: .claimed | .rejected, origin: rejection.origin, work: rejection,
            step: { _, _, _ in })
    }

    func write(_ rejection: Rejection, reportable: Bool) {
        if reportable { rejection.markReportable() }
        put(work: rejection)
    }

    /// The error of a rejected promise; reading it marks it as handled.
    @usableFromInline var error: any Error { rejection.markHandled() }

    /// The error of a rejected promise, in its shared object.
    var rejection: Rejection {
        isCancelled ? .cancellation : borrowedWork(as: Rejection.self)
    }
}

// The input and the outcome of a promise's storage. A value is passed from one storage to the next by its address. Code
// that needs a value on the stack is in a function of its own, as a stack frame has room for all branches at once.

extension PromiseStorage {
    func outcome<Value: Sendable>(of type: Value.Type) -> Outcome<Value> {
        isRejected ? .rejected(.init(rejection)) : .fulfilled(box(of: type))
    }

    @discardableResult
    func fulfill<Value: Sendable>(_ box: ValueBox<Value>) -> Bool { fulfill { put(box) } }

    func settle<Value: Sendable>(_ outcome: Outcome<Value>) {
        switch outcome {
        case .fulfilled(let box): fulfill(box)
        case .rejected(let failure): settle(failure)
        }
    }

    /// Rejects; an error that arrives after a cancellation is not reported as unhandled.
    func settle(_ failure: Failure) {
        if !reject(failure.rejection), isCancelled { failure.forget() }
    }

    /// Writes the value to `payload`; for the thread that claimed the outcome, or before an interim value is shared.
    func put<Value: Sendable>(_ box: ValueBox<Value>) {
        switch box.content {
        case .inline(let value): put(inline: value)
        case .storage(let reference):
            payload(of: Value.self).initialize(copying: reference.storage.payload(of: Value.self))
        }
    }

    /// Delivers an interim value to the handlers; returns false, and discards it, if the promise has settled.
    func report<Value: Sendable>(_ box: ValueBox<Value>) -> Bool { report(Value.self) { $0.put(box) } }

    func report<Value: Sendable>(value: Value) -> Bool { report(Value.self) { $0.write(value) } }

    func report<Value: Sendable>(_: Value.Type, _ writeValue: (PromiseStorage) -> Void) -> Bool {
        guard !isClaimed else { return false }
        let interim = PromiseStorage.make(
            Value.self, flags: .interim | .claimed | .hasUpstream, origin: origin,
            step: { storage, _, event in storage.dispose(Value.self, on: event) })
        writeValue(interim)
        return report(interim)
    }

    /// Delivers the result of `transform` on an interim value; discards it if `transform` throws.
    // Not inlined: its copies of the value would enlarge the stack frame of callers that never reach it.
    @usableFromInline
    func report<Value: Sendable, Output: Sendable>(
        from interim: PromiseStorage, as type: Value.Type, _ transform: (Value) throws -> Output
    ) {
        do { _ = report(value: try transform(interim.payload(of: type).pointee)) } catch {}
    }

    /// The input of the work, in a box; for the owner of the work, once.
    func input<Value: Sendable>(from source: PromiseStorage, as type: Value.Type) -> ValueBox<Value> {
        if InlineValue.holds(type), let value = takeInlineInput(from: source) {
            return ValueBox(content: .inline(value))
        }
        return source.box(of: type)
    }

    /// The upstream's outcome, or the inline input as one; for the owner of the work, once.
    func outcome<Value: Sendable>(from source: PromiseStorage, of type: Value.Type) -> Outcome<Value> {
        isFailed(by: source) ? .rejected(.init(source.rejection)) : .fulfilled(input(from: source, as: type))
    }

    /// Handles the events that are the same for all operators that keep the type: forwards the interim value of
    /// `source`, or destroys the value.
    func relay<Value: Sendable>(_ type: Value.Type, from source: PromiseStorage, on event: StepEvent) {
        if case .interim = event { _ = report(source.box(of: type)) } else { dispose(type, on: event) }
    }
}
