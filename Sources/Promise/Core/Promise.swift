/// A lazy, shareable future: it describes work that produces one value or one error.
///
/// Creating a promise and chaining operators onto it runs nothing. The first observer starts the work
/// (``done(file:line:_:)``, ``start()``, `await promise.value`, or a system that runs the promise). The work
/// runs at most once, no matter how many observers there are, and its outcome is cached.
///
/// ```swift
/// let greeting = Promise { resolver in resolver.fulfill("hello") }
///     .delay(.milliseconds(1))
///     .map { $0.uppercased() }
///     .mapErrorRecover { "sorry: \($0)" }
/// print(try await greeting.value)
/// ```
///
/// Handlers run on the thread that settles the promise, or on the attaching thread if it has already settled,
/// before the outermost call that settles, starts or attaches returns. Delivery is never re-entrant: a handler
/// does not run inside another one. `on:` moves a handler to a scheduler. A chain inherits the scheduler of the
/// caller that starts it.
public struct Promise<Value: Sendable>: Sendable {
    /// Nil for a promise that was created with a small trivial value: that is `inlineValue`, without a heap object.
    // Two fields instead of an enum, whose copies the optimiser cannot merge with the retains and releases around them.
    @usableFromInline let reference: StorageReference?
    @usableFromInline let inlineValue: InlineValue
    /// The leading interim values. They belong to this copy of the promise, not to the shared work.
    @usableFromInline let leadingInterims: [LeadingInterim]?

    @inlinable
    init(
        _ reference: StorageReference?, inline value: InlineValue = InlineValue(),
        leadingInterims: [LeadingInterim]? = nil
    ) {
        self.reference = reference
        inlineValue = value
        self.leadingInterims = leadingInterims
    }

    @inlinable
    init(storage: PromiseStorage, leadingInterims: [LeadingInterim]? = nil) {
        self.init(StorageReference(storage), leadingInterims: leadingInterims)
    }

    init(_ rejection: Rejection) { self.init(storage: .rejected(rejection)) }

    /// This promise with other leading interim values.
    func led(by leadingInterims: [LeadingInterim]?) -> Promise {
        Promise(reference, inline: inlineValue, leadingInterims: leadingInterims)
    }

    /// Creates a promise that is already fulfilled.
    ///
    /// A trivial value of up to two words, such as a number or a small struct or enum of numbers, needs no allocation.
    /// Any other value is stored in one heap object, whatever its size, which all copies of the promise share.
    @inlinable
    public static func value(_ value: Value) -> Promise {
        InlineValue.holds(Value.self)
            ? Promise(nil, inline: InlineValue(value)) : Promise(storage: .fulfilled(with: value))
    }

    /// Creates a fulfilled promise from a boxed value, without leading interim values.
    @inlinable
    package init(_ box: ValueBox<Value>) {
        switch box.content {
        case .inline(let value): self.init(nil, inline: value)
        case .storage(let reference): self.init(reference)
        }
    }
}

extension Promise {
    /// The storage to observe; allocated here for an inline value.
    @inlinable var storage: PromiseStorage {
        if let reference { return reference.storage }
        let storage = PromiseStorage.fulfilled(Value.self)
        storage.put(inline: inlineValue)
        return storage
    }

    /// Creates a promise downstream of this one; `step` takes `work` out of its storage and applies it.
    @inlinable @inline(__always)
    func derive<Output: Sendable, Work>(
        _: Output.Type, _ work: Work, kind: PromiseStorage.State = .noFlags, origin: Origin,
        leadingInterims: [Promise<Output>.LeadingInterim]? = nil,
        step: @escaping PromiseStorage.Step
    ) -> Promise<Output> {
        let derived = derivedStorage(Output.self, work, kind: kind, origin: origin, step: step)
        return Promise<Output>(storage: derived, leadingInterims: leadingInterims)
    }

    @inlinable @inline(__always)
    func derivedStorage<Output: Sendable, Work>(
        _: Output.Type, _ work: Work, kind: PromiseStorage.State, origin: Origin,
        step: @escaping PromiseStorage.Step
    ) -> PromiseStorage {
        if let reference {
            return PromiseStorage.make(
                Output.self, flags: .work | kind, upstream: .passRetained(reference.storage), origin: origin,
                work: work, step: step)
        }
        // An inline value needs no upstream object: it becomes the inline input of the derived storage.
        let derived = PromiseStorage.make(
            Output.self,
            flags: .work | .inlineInput | kind, origin: origin, work: work, step: step)
        derived.inlineInput.initialize(to: inlineValue)
        return derived
    }
}

// What the step of a derived storage does with its source.
extension PromiseStorage {
    /// Runs `body`, which settles this storage, with the work. If the source was rejected, rejects with its error
    /// instead; if `body` throws, with the thrown error.
    @inlinable @inline(__always)
    func fire<Work>(_: Work.Type, from source: PromiseStorage, _ body: (Work) throws -> Void) {
        let work = takeWork(as: Work.self)
        guard !rejectIfFailed(source) else { return }
        do { try body(work) } catch { reject(error) }
    }

    /// Fulfills with the result of `transform` on the input.
    @inlinable
    func fulfill<Value: Sendable, Output: Sendable>(
        from source: PromiseStorage, as type: Value.Type, _ transform: (Value) throws -> Output
    ) throws {
        fulfill(try withInput(from: source, as: type, transform))
    }

    /// Rejects with the error of a source that settled with one; otherwise returns false. A storage with inline input
    /// is its own source: an error found there can only be its own cancellation after it fired, and the input is still
    /// valid.
    @usableFromInline
    func rejectIfFailed(_ source: PromiseStorage) -> Bool {
        guard isFailed(by: source) else { return false }
        reject(source.rejection)
        return true
    }

    func isFailed(by source: PromiseStorage) -> Bool { source !== self && source.isRejected }
}
