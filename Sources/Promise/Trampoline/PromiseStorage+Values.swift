// What a cell works on, and what it is settled with. A value goes from one cell to the next by its address; and what
// needs one on the stack is a function of its own, as a function has room for all of its branches at once.

extension PromiseStorage {
    @inlinable
    func outcome<Value: Sendable>(of type: Value.Type) -> Outcome<Value> {
        isRejected ? .rejected(.init(rejection)) : .fulfilled(box(of: type))
    }

    /// Settles with a value unless that was done already.
    @inlinable
    @discardableResult
    func fulfill<Value: Sendable>(_ value: Value) -> Bool { fulfill { write(value) } }

    @inlinable
    @discardableResult
    func fulfill<Value: Sendable>(_ box: ValueBox<Value>) -> Bool { fulfill { put(box) } }

    @inlinable @inline(__always)
    func fulfill(_ writeValue: () -> Void) -> Bool {
        guard claim(0) != nil else { return false }
        writeValue()
        publish()
        return true
    }

    @inlinable
    func settle<Value: Sendable>(_ outcome: Outcome<Value>) {
        switch outcome {
        case .fulfilled(let box): fulfill(box)
        case .rejected(let failure): if !reject(failure.rejection), isCancelled { failure.forget() }
        }
    }

    /// Writes what it is settled with, for the one that claimed it.
    @inlinable
    func put<Value: Sendable>(_ box: ValueBox<Value>) {
        switch box.content {
        case .word(let word): put(word: word)
        case .storage(let reference):
            payload(of: Value.self).initialize(copying: reference.storage.payload(of: Value.self))
        }
    }

    /// Passes an interim value on.
    @inlinable
    func report<Value: Sendable>(_ box: ValueBox<Value>) -> Bool { report(Value.self) { $0.put(box) } }

    @inlinable
    func report<Value: Sendable>(value: Value) -> Bool { report(Value.self) { $0.write(value) } }

    @inlinable @inline(__always)
    func report<Value: Sendable>(_: Value.Type, _ writeValue: (PromiseStorage) -> Void) -> Bool {
        guard !isClaimed else { return false }
        let interim = PromiseStorage.make(
            Value.self, flags: Flags.interim | Flags.claimed | Flags.hasUpstream, origin: origin,
            step: { storage, _, _ in storage.dispose(Value.self) })
        writeValue(interim)
        return report(interim)
    }

    /// The value of a cell that was fulfilled, or of an interim one.
    @inlinable
    func value<Value>(as type: Value.Type) -> Value { payload(of: type).pointee }

    /// Calls `body` with the value to work on; for the owner of the work, once.
    @inlinable @inline(__always)
    func withInput<Value: Sendable, Result>(
        from source: PromiseStorage, as type: Value.Type, _ body: (Value) throws -> Result
    ) rethrows -> Result {
        // A seed is a small plain value: for any other the compiler leaves this out.
        if InlineValue.holds(type), source === self || source.holdsInlineInput {
            return try source.withInlineInput(body)
        }
        return try body(source.payload(of: type).pointee)
    }

    @inlinable
    func withInlineInput<Value: Sendable, Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        try body(takeInlineInput().value(as: Value.self))
    }

    /// Settles with what `transform` makes of the value to work on.
    @inlinable
    func fulfill<Value: Sendable, Output: Sendable>(
        from source: PromiseStorage, as type: Value.Type, _ transform: (Value) throws -> Output
    ) {
        do {
            fulfill(try withInput(from: source, as: type, transform))
        } catch {
            reject(Rejection(error, origin))
        }
    }

    /// Passes on what `transform` makes of an interim value, unless that throws.
    // Not inlined, or its copies would lie on the stack of those who never come by here.
    @inlinable @inline(never)
    func report<Value: Sendable, Output: Sendable>(
        from interim: PromiseStorage, as type: Value.Type, _ transform: (Value) throws -> Output
    ) {
        do { _ = report(value: try transform(interim.payload(of: type).pointee)) } catch {}
    }

    /// The value to work on, for the owner of the work, once.
    @inlinable
    func input<Value: Sendable>(from source: PromiseStorage, as type: Value.Type) -> ValueBox<Value> {
        InlineValue.holds(type) && (source === self || source.holdsInlineInput)
            ? ValueBox(content: .word(source.takeInlineInput())) : source.box(of: type)
    }

    /// Whether the source settled with an error. A seeded cell is its own source, and may have been cancelled
    /// since it was fired: then there is still a value to work on.
    @inlinable
    func isFailed(by source: PromiseStorage) -> Bool { source !== self && source.isRejected }

    @inlinable
    func takeInlineInput() -> InlineValue {
        mark(Flags.fired)
        return inlineInput.pointee
    }

    /// Whether it is not a source that settles but one that gives its seed away.
    @usableFromInline var holdsInlineInput: Bool { has(Flags.inlineInput) && !has(Flags.claimed) }

    /// The outcome to work on, for the owner of the work, once.
    @inlinable
    func outcome<Value: Sendable>(from source: PromiseStorage, of type: Value.Type) -> Outcome<Value> {
        isFailed(by: source) ? .rejected(.init(source.rejection)) : .fulfilled(input(from: source, as: type))
    }

    @inlinable
    func dispose<Value>(_ type: Value.Type) { Trampoline.destroy(payload(of: type)) }
}
