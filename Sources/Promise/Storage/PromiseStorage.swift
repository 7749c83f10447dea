public import Synchronization

/// The heap object behind a promise that is not a plain value: one link of a chain.
///
/// ```
///          start            listed by its upstream       delivered to          settle
///   idle ────────▶ starting ──────────────────▶ waiting ────────────▶ fired ──────────▶ settled: its handlers
///     │                │                          │  ▲                 │ become          run, and late ones
///     │                │                          │  └─────────────────┘                 at once
///     └────────────────┴──────── cancel ──────────┴────────────────────┴───▶ settled
/// ```
///
/// Two atomic words decide every race: `flags` (``Flags``), who may touch the plain fields and who may settle,
/// and `waiterList` (``WaiterListState``), what arrived and who delivers it. Every change that others can see is an
/// acquire-release operation: who finds a bit set sees what was written before. More in "Inside a promise".
///
/// The tail is words: mailbox, flags, then links, clock and label, each only where its flag says so, and
/// `payload`, raw: the operator's closure, and behind it a seed, until they are taken; then the outcome.
@usableFromInline
final class PromiseStorage: ManagedBuffer<PromiseStorageHeader, UInt64> {
    /// What a cell does when something happens to it; free of captures, so nothing is allocated for it.
    /// The first argument is the cell itself, the second the one to read from.
    @usableFromInline typealias Step = @Sendable (PromiseStorage, PromiseStorage, Verb) -> Void

    deinit {
        let flags = kind
        if flags & Flags.claimed == 0 {
            if flags & Flags.fired == 0 { dropWork(flags, Trampoline.current) }
        } else if flags & Flags.rejected == 0 {
            headerPointer.pointee.step(self, self, .dispose)
        } else if flags & Flags.cancelled == 0 {
            payload.assumingMemoryBound(to: Rejection.self).deinitialize(count: 1)
        }
        if flags & Flags.hasLabel != 0 { label.deinitialize(count: 1) }
        if flags & Flags.hasScheduler != 0, schedulerSlot.pointee != nil {
            schedulerSlot.deinitialize(count: 1)
        }
        if flags & Flags.hasUpstream != 0, let upstream = links.pointee.upstream {
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

/// What the cell derives from, and the next entry of the mailbox that it lies in. Counted by hand: a hidden
/// second count, as the optimiser likes to take one, would tear a chain down by recursion after all.
@usableFromInline
struct PromiseStorageLinks {
    @usableFromInline var upstream: Unmanaged<PromiseStorage>?
    @usableFromInline var next: Unmanaged<PromiseStorage>?
    @inlinable
    init(_ upstream: PromiseStorage?) { if let upstream { self.upstream = .passRetained(upstream) } }
}

@available(*, unavailable)
extension PromiseStorageHeader: Sendable {}
@available(*, unavailable)
extension PromiseStorageLinks: Sendable {}

/// A cell on its way between threads.
///
/// Unchecked because no compiler can see what the two words of a cell guard, and a wrapper because a
/// `ManagedBuffer` cannot say so itself.
@usableFromInline
struct StorageReference: @unchecked Sendable {
    @usableFromInline let storage: PromiseStorage
    @inlinable
    init(_ storage: PromiseStorage) { self.storage = storage }
}

extension PromiseStorage {
    /// Makes a cell with room for `Value`, an error, or the work that comes before either with its seed.
    @inlinable @inline(__always)
    static func make<Value, Work>(
        _: Value.Type, flags: UInt64, upstream: PromiseStorage? = nil, origin: Origin, settled: Bool = false,
        inputSize: Int = 0, work: Work = (), step: @escaping Step
    ) -> PromiseStorage {
        let flags = upstream == nil ? flags : flags | Flags.hasUpstream
        let slack = MemoryLayout<Value>.alignment > 8 ? MemoryLayout<Value>.alignment : 0
        let bytes = max(MemoryLayout<Value>.size + slack, MemoryLayout<() -> Void>.size + inputSize)
        let start = Flags.start(of: 0, in: flags)
        let buffer = PromiseStorage.create(minimumCapacity: start + (bytes + 7) / 8) { _ in
            PromiseStorageHeader(origin, step)
        }
        let storage = unsafeDowncast(buffer, to: PromiseStorage.self)
        storage.withUnsafeMutablePointerToElements {
            ($0[0], $0[1]) = (settled ? UInt64(WaiterListState.settled) : 0, flags)
            UnsafeMutableRawPointer($0 + start).initializeMemory(as: Work.self, to: work)
        }
        if flags & Flags.hasUpstream != 0 { storage.links.initialize(to: PromiseStorageLinks(upstream)) }
        if flags & Flags.hasScheduler != 0 { storage.schedulerSlot.initialize(to: nil) }
        if flags & Flags.hasLabel != 0 { storage.label.initialize(to: origin.label ?? "") }
        return storage
    }

    @inlinable
    func words<Content: ~Copyable>(from start: Int, as _: Content.Type) -> UnsafeMutablePointer<Content> {
        withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0 + start).assumingMemoryBound(to: Content.self)
        }
    }

    @inlinable
    func block<Content>(_ flag: UInt64, of type: Content.Type) -> UnsafeMutablePointer<Content> {
        words(from: Flags.start(of: flag, in: kind), as: type)
    }

    @inlinable var headerPointer: UnsafeMutablePointer<PromiseStorageHeader> {
        withUnsafeMutablePointerToHeader { $0 }
    }
    var waiterList: UnsafeMutablePointer<Atomic<UInt>> { words(from: 0, as: Atomic<UInt>.self) }
    @inlinable var flags: UnsafeMutablePointer<Atomic<UInt64>> { words(from: 1, as: Atomic<UInt64>.self) }
    // The lowest of the blocks, so always in the same place.
    @inlinable var links: UnsafeMutablePointer<PromiseStorageLinks> {
        words(from: 2, as: PromiseStorageLinks.self)
    }
    @inlinable var schedulerSlot: UnsafeMutablePointer<(any SerialScheduler)?> {
        block(Flags.hasScheduler, of: (any SerialScheduler)?.self)
    }
    @inlinable var label: UnsafeMutablePointer<String> { block(Flags.hasLabel, of: String.self) }
    @inlinable var payload: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block(0, of: UInt64.self)) }

    /// Its address as a plain word. By way of an opaque pointer the optimiser would not see that the object
    /// escapes, and put it on the stack.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }

    /// Whether its caller has the only reference: as every way to a cell counts one, nobody else can come by.
    var isUniquelyReferenced: Bool {
        var reference = Unmanaged.passUnretained(self)
        let isOnly = withUnsafeMutableBytes(of: &reference) {
            isKnownUniquelyReferenced(&$0.assumingMemoryBound(to: PromiseStorage.self)[0])
        }
        // What the others did before they let go is seen from here on.
        if isOnly { atomicMemoryFence(ordering: .acquiring) }
        return isOnly
    }

    @inlinable
    func payload<Value>(of _: Value.Type) -> UnsafeMutablePointer<Value> {
        guard MemoryLayout<Value>.alignment > 8 else { return payload.assumingMemoryBound(to: Value.self) }
        return payload.alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
    }

    @inlinable var inlineInput: UnsafeMutablePointer<InlineValue> {
        (payload + MemoryLayout<() -> Void>.size).assumingMemoryBound(to: InlineValue.self)
    }

    /// For the starter, the one who fires, or the canceller; as the two that follow.
    var upstream: PromiseStorage? {
        has(Flags.hasUpstream) ? links.pointee.upstream?.takeUnretainedValue() : nil
    }

    func put(upstream: PromiseStorage?) { links.pointee.upstream = upstream.map(Unmanaged.passRetained) }

    func takeUpstream() -> PromiseStorage? {
        guard has(Flags.hasUpstream) else { return nil }
        defer { links.pointee.upstream = nil }
        return links.pointee.upstream?.takeRetainedValue()
    }

    // The work: for the owner of `payload`; `borrowedWork` for a borrower.

    @inlinable
    func put(word: InlineValue) { payload.initializeMemory(as: InlineValue.self, to: word) }

    @inlinable
    func put<Work>(work: Work) { payload.initializeMemory(as: Work.self, to: work) }

    @inlinable
    func takeWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).move() }

    @inlinable
    func borrowedWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).pointee }

    /// Lets go of the work, which nobody will do.
    func dropWork(_ flags: UInt64, _ trampoline: Trampoline) {
        let held = Flags.held | Flags.started
        if flags & held == held { headerPointer.pointee.step(self, self, .release) }
        if flags & Flags.work != 0 {
            trampoline.deferRelease(.work(payload.load(as: Trampoline.Closure.self)))
        }
    }

    /// Moves the work of a cell that nobody else refers to in here, and the place it was made at.
    func takeWork(of other: PromiseStorage) {
        headerPointer.pointee.origin = other.headerPointer.pointee.origin
        _ = other.unmark(Flags.work)
        payload.copyMemory(from: other.payload, byteCount: MemoryLayout<() -> Void>.size)
    }
}
