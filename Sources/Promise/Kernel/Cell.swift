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
/// and `mailbox` (``Mail``), what arrived and who delivers it. Every change that others can see is an
/// acquire-release operation: who finds a bit set sees what was written before. More in "Inside a promise".
///
/// The tail is words: mailbox, flags, then links, clock and label, each only where its flag says so, and
/// `payload`, raw: the operator's closure, and behind it a seed, until they are taken; then the outcome.
@usableFromInline
final class Cell: ManagedBuffer<CellHead, UInt64> {
    /// What a cell does when something happens to it; free of captures, so nothing is allocated for it.
    /// The first argument is the cell itself, the second the one to read from.
    @usableFromInline typealias Step = @Sendable (Cell, Cell, Verb) -> Void

    deinit {
        let flags = kind
        if flags & Flags.claimed == 0 {
            if flags & Flags.fired == 0 { dropWork(flags, Turn.current) }
        } else if flags & Flags.rejected == 0 {
            head.pointee.step(self, self, .dispose)
        } else if flags & Flags.cancelled == 0 {
            payload.assumingMemoryBound(to: Rejection.self).deinitialize(count: 1)
        }
        if flags & Flags.labelled != 0 { label.deinitialize(count: 1) }
        if flags & Flags.timed != 0, clock.pointee != nil { clock.deinitialize(count: 1) }
        if flags & Flags.linked != 0, let upstream = links.pointee.upstream {
            Turn.current.bury(.object(.fromOpaque(upstream.toOpaque())))
        }
    }
}

@usableFromInline
struct CellHead {
    @usableFromInline var origin: UInt64
    @usableFromInline var step: Cell.Step
    @inlinable
    init(_ origin: Origin, _ step: @escaping Cell.Step) { (self.origin, self.step) = (origin.place, step) }
}

/// What the cell derives from, and the next entry of the mailbox that it lies in. Counted by hand: a hidden
/// second count, as the optimiser likes to take one, would tear a chain down by recursion after all.
@usableFromInline
struct CellLinks {
    @usableFromInline var upstream: Unmanaged<Cell>?
    @usableFromInline var next: Unmanaged<Cell>?
    @inlinable
    init(_ upstream: Cell?) { if let upstream { self.upstream = .passRetained(upstream) } }
}

@available(*, unavailable)
extension CellHead: Sendable {}
@available(*, unavailable)
extension CellLinks: Sendable {}

/// A cell on its way between threads.
///
/// Unchecked because no compiler can see what the two words of a cell guard, and a wrapper because a
/// `ManagedBuffer` cannot say so itself.
@usableFromInline
struct Link: @unchecked Sendable {
    @usableFromInline let cell: Cell
    @inlinable
    init(_ cell: Cell) { self.cell = cell }
}

extension Cell {
    /// Makes a cell with room for `Value`, an error, or the work that comes before either with its seed.
    @inlinable @inline(__always)
    static func make<Value, Work>(
        _: Value.Type, flags: UInt64, upstream: Cell? = nil, origin: Origin, settled: Bool = false,
        seed: Int = 0, work: Work = (), step: @escaping Step
    ) -> Cell {
        let flags = upstream == nil ? flags : flags | Flags.linked
        let slack = MemoryLayout<Value>.alignment > 8 ? MemoryLayout<Value>.alignment : 0
        let bytes = max(MemoryLayout<Value>.size + slack, MemoryLayout<() -> Void>.size + seed)
        let start = Flags.start(of: 0, in: flags)
        let buffer = Cell.create(minimumCapacity: start + (bytes + 7) / 8) { _ in CellHead(origin, step) }
        let cell = unsafeDowncast(buffer, to: Cell.self)
        cell.withUnsafeMutablePointerToElements {
            ($0[0], $0[1]) = (settled ? UInt64(Mail.settled) : 0, flags)
            UnsafeMutableRawPointer($0 + start).initializeMemory(as: Work.self, to: work)
        }
        if flags & Flags.linked != 0 { cell.links.initialize(to: CellLinks(upstream)) }
        if flags & Flags.timed != 0 { cell.clock.initialize(to: nil) }
        if flags & Flags.labelled != 0 { cell.label.initialize(to: origin.label ?? "") }
        return cell
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

    @inlinable var head: UnsafeMutablePointer<CellHead> { withUnsafeMutablePointerToHeader { $0 } }
    var mailbox: UnsafeMutablePointer<Atomic<UInt>> { words(from: 0, as: Atomic<UInt>.self) }
    @inlinable var flags: UnsafeMutablePointer<Atomic<UInt64>> { words(from: 1, as: Atomic<UInt64>.self) }
    // The lowest of the blocks, so always in the same place.
    @inlinable var links: UnsafeMutablePointer<CellLinks> { words(from: 2, as: CellLinks.self) }
    @inlinable var clock: UnsafeMutablePointer<(any SerialScheduler)?> {
        block(Flags.timed, of: (any SerialScheduler)?.self)
    }
    @inlinable var label: UnsafeMutablePointer<String> { block(Flags.labelled, of: String.self) }
    @inlinable var payload: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block(0, of: UInt64.self)) }

    /// Its address as a plain word. By way of an opaque pointer the optimiser would not see that the object
    /// escapes, and put it on the stack.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }

    /// Whether its caller has the only reference: as every way to a cell counts one, nobody else can come by.
    var isAlone: Bool {
        var reference = Unmanaged.passUnretained(self)
        let isOnly = withUnsafeMutableBytes(of: &reference) {
            isKnownUniquelyReferenced(&$0.assumingMemoryBound(to: Cell.self)[0])
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

    @inlinable var seed: UnsafeMutablePointer<Word> {
        (payload + MemoryLayout<() -> Void>.size).assumingMemoryBound(to: Word.self)
    }

    /// For the starter, the one who fires, or the canceller; as the two that follow.
    var upstream: Cell? { has(Flags.linked) ? links.pointee.upstream?.takeUnretainedValue() : nil }

    func put(upstream: Cell?) { links.pointee.upstream = upstream.map(Unmanaged.passRetained) }

    func takeUpstream() -> Cell? {
        guard has(Flags.linked) else { return nil }
        defer { links.pointee.upstream = nil }
        return links.pointee.upstream?.takeRetainedValue()
    }

    // The work: for the owner of `payload`; `borrowedWork` for a borrower.

    @inlinable
    func put(word: Word) { payload.initializeMemory(as: Word.self, to: word) }

    @inlinable
    func put<Work>(work: Work) { payload.initializeMemory(as: Work.self, to: work) }

    @inlinable
    func takeWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).move() }

    @inlinable
    func borrowedWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).pointee }

    /// Lets go of the work, which nobody will do.
    func dropWork(_ flags: UInt64, _ turn: Turn) {
        let held = Flags.held | Flags.started
        if flags & held == held { head.pointee.step(self, self, .release) }
        if flags & Flags.work != 0 { turn.bury(.work(payload.load(as: Turn.Closure.self))) }
    }

    /// Moves the work of a cell that nobody else refers to in here, and the place it was made at.
    func takeWork(of other: Cell) {
        head.pointee.origin = other.head.pointee.origin
        _ = other.unmark(Flags.work)
        payload.copyMemory(from: other.payload, byteCount: MemoryLayout<() -> Void>.size)
    }
}
