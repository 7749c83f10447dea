/// One value later: a description of work that gives one value or one error.
///
/// Making a promise and chaining operators onto it runs nothing. The work starts when somebody first looks
/// at the outcome (``done(file:line:_:)``, ``start()``, `await promise.value`, or a system that runs it),
/// starts at most once whatever number of observers it has, and its outcome is remembered.
///
/// ```swift
/// let greeting = Promise { resolver in resolver.fulfill("hello") }
///     .delay(.milliseconds(1))
///     .map { $0.uppercased() }
///     .mapErrorRecover { "sorry: \($0)" }
/// print(try await greeting.value)
/// ```
///
/// Handlers run where the promise is settled, before the outermost call that settles, starts or attaches
/// returns, and never one inside another; `on:` moves them to a scheduler. A chain runs on the scheduler of
/// whoever starts it.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline let representation: PromiseRepresentation
    /// The interim values at the very start. They belong to this value and not to the work, which others share.
    @usableFromInline let leadingInterims: [LeadingInterim]?

    @inlinable
    init(representation: PromiseRepresentation, leadingInterims: [LeadingInterim]? = nil) {
        self.representation = representation
        self.leadingInterims = leadingInterims
    }

    @inlinable
    init(storage: PromiseStorage, leadingInterims: [LeadingInterim]? = nil) {
        self.init(representation: .storage(StorageReference(storage)), leadingInterims: leadingInterims)
    }

    /// Fulfilled with what is in the box, and nothing to show before.
    @inlinable
    package init(_ box: ValueBox<Value>) {
        switch box.content {
        case .word(let word): self.init(representation: .word(word))
        case .storage(let reference): self.init(representation: .storage(reference))
        }
    }
}

/// What a promise is made of, in three words whatever its value.
@usableFromInline
enum PromiseRepresentation: Sendable {
    // Fulfilled with a small plain value: that needs no object.
    case word(InlineValue)
    case rejected(Rejection)
    case storage(StorageReference)
}

/// What became of a promise, with the error still knowing whether it was asked for.
@usableFromInline
package enum Outcome<Value: Sendable>: Sendable {
    case fulfilled(ValueBox<Value>)
    case rejected(Failure)

    var failure: Failure? { if case .rejected(let failure) = self { failure } else { nil } }

    /// As a result; the error counts as asked for.
    @inlinable
    var result: Result<Value, any Error> {
        switch self {
        case .fulfilled(let box): .success(box.value)
        case .rejected(let failure): .failure(failure.rejection.markHandled())
        }
    }
}

/// An error on its way, not yet asked for.
@usableFromInline
package struct Failure: Sendable {
    @usableFromInline let rejection: Rejection

    @inlinable
    init(_ rejection: Rejection) { self.rejection = rejection }

    /// The error, given to somebody who asked for it.
    @usableFromInline package var error: any Error { rejection.markHandled() }
    /// Somebody counts on the promise: if nobody asks for the error, that is worth a report.
    @usableFromInline
    package func markReportable() { rejection.markReportable() }
    /// Nobody has to hear of it any more: whoever waited for it was cancelled.
    @usableFromInline
    func forget() { _ = rejection.markHandled() }
    /// Where the promise was made that failed.
    package var origin: Origin { rejection.origin }
}

/// What an observer hears: any number of interim values, then the outcome.
@usableFromInline
package enum Update<Value: Sendable>: Sendable {
    case interim(ValueBox<Value>)
    case outcome(Outcome<Value>)
}

extension Promise {
    /// The cell to derive from or to observe; what is settled from the start gets one here.
    @inlinable @inline(__always)
    func storage(_ origin: Origin) -> PromiseStorage {
        if case .storage(let reference) = representation { reference.storage } else { makeStorage(origin) }
    }

    // Out of line, as few come by here.
    @inlinable @inline(never)
    func makeStorage(_ origin: Origin) -> PromiseStorage {
        switch representation {
        case .storage(let reference): return reference.storage
        case .word(let word):
            let storage = PromiseStorage.fulfilled(Value.self)
            storage.put(word: word)
            return storage
        case .rejected(let rejection):
            let storage = PromiseStorage.make(
                Value.self, flags: Flags.claimed | Flags.rejected, origin: origin,
                settled: true,
                step: { _, _, _ in })
            storage.payload(of: Rejection.self).initialize(to: rejection)
            return storage
        }
    }

    /// A promise that follows from this one by `work`, which `step` takes out and applies.
    @inlinable @inline(__always)
    func derive<Output: Sendable, Work>(
        _: Output.Type, _ work: Work, kind: UInt64 = 0, origin: Origin,
        leadingInterims: [Promise<Output>.LeadingInterim]? = nil,
        step: @escaping PromiseStorage.Step
    ) -> Promise<Output> {
        let derived = derivedStorage(Output.self, work, kind: kind, origin: origin, step: step)
        return Promise<Output>(storage: derived, leadingInterims: leadingInterims)
    }

    @inlinable @inline(__always)
    func derivedStorage<Output: Sendable, Work>(
        _: Output.Type, _ work: Work, kind: UInt64, origin: Origin, step: @escaping PromiseStorage.Step
    ) -> PromiseStorage {
        guard case .word(let word) = representation else {
            return PromiseStorage.make(
                Output.self, flags: Flags.work | kind, upstream: storage(origin), origin: origin, work: work,
                step: step)
        }
        // No object of its own for a value that is there already.
        let derived = PromiseStorage.make(
            Output.self,
            flags: Flags.work | Flags.inlineInput | kind
                | (kind & Flags.hasScheduler != 0 ? Flags.hasUpstream : 0),
            origin: origin, inputSize: MemoryLayout<InlineValue>.size, work: work, step: step)
        derived.inlineInput.initialize(to: word)
        return derived
    }
}
