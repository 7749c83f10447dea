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
    @usableFromInline let representation: PromiseRepresentation
    /// The leading interim values. They belong to this copy of the promise, not to the shared work.
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

    /// This promise with other leading interim values.
    @inlinable
    func led(by leadingInterims: [LeadingInterim]?) -> Promise {
        Promise(representation: representation, leadingInterims: leadingInterims)
    }

    /// Creates a promise that is already fulfilled.
    ///
    /// A trivial value of up to two words, such as a number or a small struct or enum of numbers, needs no allocation.
    /// Any other value is stored in one heap object, whatever its size, which all copies of the promise share.
    @inlinable
    public static func value(_ value: Value) -> Promise {
        InlineValue.holds(Value.self)
            ? Promise(representation: .inline(InlineValue(value))) : Promise(storage: .fulfilled(with: value))
    }

    /// Creates a fulfilled promise from a boxed value, without leading interim values.
    @inlinable
    package init(_ box: ValueBox<Value>) {
        switch box.content {
        case .inline(let value): self.init(representation: .inline(value))
        case .storage(let reference): self.init(representation: .storage(reference))
        }
    }
}

/// The contents of a promise: three words, whatever the type of its value.
@usableFromInline
enum PromiseRepresentation: Sendable {
    // Fulfilled with a small trivial value, which is stored inline without a heap object.
    case inline(InlineValue)
    case rejected(Rejection)
    case storage(StorageReference)
}

extension Promise {
    /// The storage to derive from or to observe; allocated here for a promise that was created settled.
    @inlinable @inline(__always)
    func storage(_ origin: Origin) -> PromiseStorage {
        if case .storage(let reference) = representation { reference.storage } else { makeStorage(origin) }
    }

    // Out of line, because few callers get here.
    @inlinable @inline(never)
    func makeStorage(_ origin: Origin) -> PromiseStorage {
        switch representation {
        case .storage(let reference): return reference.storage
        case .inline(let value):
            let storage = PromiseStorage.fulfilled(Value.self)
            storage.put(inline: value)
            return storage
        case .rejected(let rejection):
            let storage = PromiseStorage.make(
                Value.self, flags: .claimed | .rejected, origin: origin, step: { _, _, _ in })
            storage.payload(of: Rejection.self).initialize(to: rejection)
            return storage
        }
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
        guard case .inline(let value) = representation else {
            return PromiseStorage.make(
                Output.self, flags: .work | kind, upstream: storage(origin), origin: origin, work: work,
                step: step)
        }
        // An inline value needs no upstream object: it becomes the inline input of the derived storage.
        let derived = PromiseStorage.make(
            Output.self,
            flags: .work | .inlineInput | kind
                | (kind.contains(.hasScheduler) ? .hasUpstream : .noFlags),
            origin: origin, work: work, step: step)
        derived.inlineInput.initialize(to: value)
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
        guard !isFailed(by: source) else { return _ = reject(source.rejection) }
        rejectingErrors { try body(work) }
    }

    @inlinable @inline(__always)
    func rejectingErrors(_ body: () throws -> Void) {
        do { try body() } catch { reject(Rejection(error, origin)) }
    }

    /// Fulfills with the result of `transform` on the input.
    @inlinable
    func fulfill<Value: Sendable, Output: Sendable>(
        from source: PromiseStorage, as type: Value.Type, _ transform: (Value) throws -> Output
    ) throws {
        fulfill(try withInput(from: source, as: type, transform))
    }

    /// Whether the source settled with an error. A storage with inline input is its own source: an error found there
    /// can only be its own cancellation after it fired, and the input is still valid.
    @inlinable
    func isFailed(by source: PromiseStorage) -> Bool { source !== self && source.isRejected }
}
