public import Synchronization

/// The heap object behind a promise that is neither a small trivial value nor created rejected: one link of a chain.
///
/// ```
///          start           enqueued by its upstream     outcome delivered      settle
///   idle ────────▶ starting ──────────────────▶ waiting ────────────▶ fired ──────────▶ settled: its handlers
///     │                │                          │  ▲                 │ forward         run, and late ones
///     │                │                          │  └─────────────────┘                 immediately
///     └────────────────┴──────── cancel ──────────┴────────────────────┴───▶ settled
/// ```
///
/// Two atomic words decide every race: `flags` (``PromiseStorage/State``) decides who may access the non-atomic fields
/// and who may settle; `waiterList` (``WaiterListState``) holds the entries that have arrived and decides who delivers
/// them. Every change that other threads can see is an acquire-release operation: a thread that reads a set bit sees
/// the writes that preceded it. The page "Inside a promise" has the details.
///
/// The tail allocation consists of words: the waiter list; the flags; the links, scheduler and label, each present only
/// if its flag is set; and the raw `payload`, which holds the operator's closure and behind it the inline input, until
/// these are taken, and then the outcome.
@usableFromInline
final class PromiseStorage: ManagedBuffer<PromiseStorageHeader, UInt64> {
    /// The operator's behaviour: handles the events of ``StepEvent``. It captures nothing, so that no context is
    /// allocated. The first argument is the storage itself, the second the one to read from.
    @usableFromInline typealias Step = @Sendable (PromiseStorage, PromiseStorage, StepEvent) -> Void

    /// The upstream, and the next entry of the waiter list that this storage is in. Both are retained and released by
    /// hand: an extra retain inserted by the optimiser would cause a chain to be released recursively after all.
    @usableFromInline typealias Links = (
        upstream: Unmanaged<PromiseStorage>?, next: Unmanaged<PromiseStorage>?
    )

    deinit {
        let flags = kind
        if !flags.contains(.claimed) {
            if !flags.contains(.fired) { dropWork(flags, Trampoline.current) }
        } else if !flags.contains(.rejected) {
            if flags.contains(.needsDisposal) { headerPointer.pointee.step(self, self, .dispose) }
        } else if !flags.contains(.cancelled) {
            payload.assumingMemoryBound(to: Rejection.self).deinitialize(count: 1)
        }
        if flags.contains(.hasLabel) { label.deinitialize(count: 1) }
        if flags.contains(.hasScheduler), schedulerSlot.pointee != nil {
            schedulerSlot.deinitialize(count: 1)
        }
        if flags.contains(.hasUpstream), let upstream = links.pointee.upstream {
            Trampoline.current.deferRelease(.object(.fromOpaque(upstream.toOpaque())))
        }
    }
}

@usableFromInline
struct PromiseStorageHeader {
    @usableFromInline var origin: UInt64
    @usableFromInline var step: PromiseStorage.Step
    @inlinable
    init(_ origin: Origin, _ step: @escaping PromiseStorage.Step) {
        (self.origin, self.step) = (origin.place, step)
    }
}

@available(*, unavailable)
extension PromiseStorageHeader: Sendable {}

/// A reference to a promise's storage that can be passed between threads.
///
/// The conformance is unchecked because the compiler cannot verify what the two atomic words protect. It is a wrapper
/// because a subclass of `ManagedBuffer` cannot conform to `Sendable`.
@usableFromInline
package struct StorageReference: @unchecked Sendable {
    @usableFromInline let storage: PromiseStorage
    @inlinable
    init(_ storage: PromiseStorage) { self.storage = storage }
}

/// The same, without a claim on the object.
struct WeakStorageReference: @unchecked Sendable {
    weak var storage: PromiseStorage?

    init(_ storage: PromiseStorage) { self.storage = storage }
}

extension PromiseStorage {
    @usableFromInline
    enum StepEvent: Sendable {
        /// The upstream has settled, or the work is to begin. The step owns `payload`.
        case fire
        /// The upstream reported an interim value, held by the second argument. The step borrows `payload`.
        case interim
        /// The value in `payload` is to be destroyed.
        case dispose
        /// The held resource is to be released, on cancellation. The step owns `payload`.
        case release
    }

    /// Allocates a storage with room for a `Value`, an error, or the work with its inline input that precedes either.
    /// It consumes the reference to `upstream`.
    @inlinable @inline(__always)
    static func make<Value, Work>(
        _: Value.Type, flags: State, upstream: Unmanaged<PromiseStorage>? = nil, origin: Origin,
        work: Work = (),
        step: @escaping Step
    ) -> PromiseStorage {
        let slack = MemoryLayout<Value>.alignment > 8 ? MemoryLayout<Value>.alignment : 0
        let inputSize = flags.contains(.inlineInput) ? MemoryLayout<InlineValue>.size : 0
        let bytes = max(MemoryLayout<Value>.size + slack, MemoryLayout<() -> Void>.size + inputSize)
        let flags = upstream == nil ? flags : flags | .hasUpstream
        let start = flags.start()
        let buffer = PromiseStorage.create(minimumCapacity: start + (bytes + 7) / 8) { _ in
            PromiseStorageHeader(origin, step)
        }
        let storage = unsafeDowncast(buffer, to: PromiseStorage.self)
        // By one pointer: with a use of the object in each branch, the optimiser would retain it here.
        let words = UnsafeMutableRawPointer(storage.withUnsafeMutablePointerToElements { $0 })
        let waiters = flags.contains(.claimed) ? WaiterListState.settled : 0
        words.initializeMemory(
            as: (UInt64, UInt64).self,
            to: (waiters, (_isPOD(Value.self) ? flags : flags | .needsDisposal).rawValue))
        if flags.contains(.hasUpstream) {
            (words + 16).initializeMemory(as: Links.self, to: (upstream, nil))
        }
        if flags.contains(.hasScheduler) {
            (words + 8 * flags.start(of: .hasScheduler))
                .initializeMemory(as: (any SerialScheduler)?.self, to: nil)
        }
        if flags.contains(.hasLabel) {
            (words + 8 * flags.start(of: .hasLabel)).initializeMemory(as: String.self, to: origin.label ?? "")
        }
        (words + 8 * start).initializeMemory(as: Work.self, to: work)
        return storage
    }

    @inlinable
    func words<Content: ~Copyable>(from start: Int, as _: Content.Type) -> UnsafeMutablePointer<Content> {
        withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0 + start).assumingMemoryBound(to: Content.self)
        }
    }

    func block<Content>(_ flag: State, of type: Content.Type) -> UnsafeMutablePointer<Content> {
        words(from: kind.start(of: flag), as: type)
    }

    // Not `header`: each access of it would be checked for exclusivity.
    var headerPointer: UnsafeMutablePointer<PromiseStorageHeader> { withUnsafeMutablePointerToHeader { $0 } }
    var waiterList: UnsafeMutablePointer<Atomic<UInt64>> { words(from: 0, as: Atomic<UInt64>.self) }
    @inlinable var flags: UnsafeMutablePointer<Atomic<UInt64>> { words(from: 1, as: Atomic<UInt64>.self) }
    // The first of the optional fields, so always at the same offset.
    var links: UnsafeMutablePointer<Links> { words(from: 2, as: Links.self) }
    var schedulerSlot: UnsafeMutablePointer<(any SerialScheduler)?> {
        block(.hasScheduler, of: (any SerialScheduler)?.self)
    }
    var label: UnsafeMutablePointer<String> { block(.hasLabel, of: String.self) }
    @inlinable var payload: UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(words(from: kind.start(), as: UInt64.self))
    }

    /// The address of this object as an integer. With an opaque pointer instead of a bit cast, the optimiser would not
    /// see that the object escapes and would allocate it on the stack.
    var address: UInt64 { UInt64(unsafeBitCast(self, to: UInt.self)) }

    @inlinable
    func payload<Value>(of _: Value.Type) -> UnsafeMutablePointer<Value> {
        guard MemoryLayout<Value>.alignment > 8 else { return payload.assumingMemoryBound(to: Value.self) }
        return payload.alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
    }

    @inlinable var inlineInput: UnsafeMutablePointer<InlineValue> {
        (payload + MemoryLayout<() -> Void>.size).assumingMemoryBound(to: InlineValue.self)
    }

    /// The scheduler of the chain; always nil in a storage without a field for it, where setting it is a no-op.
    var scheduler: (any SerialScheduler)? {
        get { has(.hasScheduler) ? schedulerSlot.pointee : nil }
        set { if has(.hasScheduler) { schedulerSlot.pointee = newValue } }
    }

    /// Where the promise was created, with its label, if any.
    @usableFromInline var origin: Origin {
        Origin(place: headerPointer.pointee.origin, label: has(.hasLabel) ? label.pointee : nil)
    }

    /// Only for the starter, the thread that fires, or the canceller; so are the two functions below.
    var upstream: PromiseStorage? {
        has(.hasUpstream) ? links.pointee.upstream?.takeUnretainedValue() : nil
    }

    func put(upstream: PromiseStorage?) { links.pointee.upstream = upstream.map(Unmanaged.passRetained) }

    func takeUpstream() -> PromiseStorage? {
        guard has(.hasUpstream) else { return nil }
        defer { links.pointee.upstream = nil }
        return links.pointee.upstream?.takeRetainedValue()
    }

    // The work may be accessed by the owner of `payload` only; `borrowedWork` also by a borrower.

    @inlinable
    func put(inline value: InlineValue) { payload.initializeMemory(as: InlineValue.self, to: value) }

    @inlinable
    func put<Work>(work: Work) { payload.initializeMemory(as: Work.self, to: work) }

    @inlinable
    func takeWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).move() }

    @inlinable
    func borrowedWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).pointee }

    /// Initialises `payload` with the value; for the thread that claimed the outcome, or before the storage is shared.
    @inlinable
    func write<Value>(_ value: borrowing Value) {
        if InlineValue.holds(Value.self) { put(inline: InlineValue(value)) } else { writeOutOfLine(value) }
    }

    // Copies directly from the value's address; if inlined, it would copy by way of the caller's stack.
    @inlinable @inline(never)
    func writeOutOfLine<Value>(_ value: borrowing Value) {
        withUnsafePointer(to: value) { payload(of: Value.self).initialize(copying: $0) }
    }

    /// A copy of the value of a fulfilled storage, or of an interim value.
    @inlinable
    func value<Value>(as type: Value.Type) -> Value { payload(of: type).pointee }

    /// Calls `body` with the input of the work, taken from `source`; for the owner of the work, once.
    @inlinable @inline(__always)
    func withInput<Value: Sendable, Result>(
        from source: PromiseStorage, as type: Value.Type, _ body: (Value) throws -> Result
    ) rethrows -> Result {
        // Only a small trivial value can be an inline input: for other types the compiler removes this branch.
        if InlineValue.holds(type), let value = takeInlineInput(from: source) {
            return try body(value.value(as: type))
        }
        return try body(source.payload(of: type).pointee)
    }

    /// The inline input of a source that provides that instead of an outcome, otherwise nil.
    @usableFromInline
    func takeInlineInput(from source: PromiseStorage) -> InlineValue? {
        guard source === self || source.has(.inlineInput) && !source.has(.claimed) else { return nil }
        source.insert(.fired)
        return source.inlineInput.pointee
    }

    /// Handles the events that are the same for all operators that drop interim values: destroys the value.
    @usableFromInline
    func dispose<Value>(_ type: Value.Type, on event: StepEvent) {
        if case .dispose = event { Trampoline.destroy(payload(of: type)) }
    }
}

/// The bytes of a trivial value of at most two words.
@usableFromInline
package struct InlineValue: Sendable {
    @usableFromInline var words: (UInt64, UInt64) = (0, 0)

    @inlinable
    init() {}

    /// Whether values of this type are stored inline: they are trivial, fit into two words and need no wider alignment.
    @inlinable @inline(__always)
    static func holds<Value>(_: Value.Type) -> Bool {
        _isPOD(Value.self) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    @inlinable
    init<Value>(_ value: borrowing Value) {
        words = withUnsafePointer(to: value) { value in
            var words: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &words) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: value, count: MemoryLayout<Value>.size))
            }
            return words
        }
    }

    @inlinable
    func value<Value>(as _: Value.Type) -> Value {
        withUnsafeBytes(of: words) { $0.load(as: Value.self) }
    }
}

extension UnsafeMutablePointer {
    /// Copies exactly `size` bytes of a trivial value. The standard library's `initialize(from:count:)` copies the
    /// stride, with the padding (one byte even for an empty type), for which the destination need not have room.
    @inlinable
    func initialize(copying source: UnsafePointer<Pointee>) {
        if _isPOD(Pointee.self) {
            UnsafeMutableRawPointer(self).copyMemory(from: source, byteCount: MemoryLayout<Pointee>.size)
        } else {
            initialize(from: source, count: 1)
        }
    }
}
