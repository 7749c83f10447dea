internal import Synchronization

/// The heap object behind a promise that is not a plain value: one link of a chain.
///
/// A cell is a small mailbox with one outcome. Everything about it that is generic lives in the closures
/// that the operators write (`step` and the work kept in `payload`); everything else, the ordering, the
/// ownership, the cancellation, is plain code that is compiled once.
///
/// ```
///            start              the upstream settles            claim, then publish
///   idle ───────────▶ waiting ───────────────────────▶ fired ───────────────────────▶ settled ──▶ closed
///     │                  │ ▲                             │ become (a promise inside     (its handlers  (late ones
///     │ cancel           │ └─────────────────────────────┘  a promise)                  run)           run at once)
///     └──────────────────┴──────── cancel: claim, publish ──────────────────────────▶
/// ```
///
/// Two atomic words decide every race; the plain fields belong to whoever the words say.
///
/// * `flags` says who may touch `step`, `payload` and `upstream`: see ``Flags``.
/// * `mailbox` holds what arrived and was not delivered: see ``Mail``.
///
/// References go upwards while idle (a derived cell keeps what it derives from) and both ways while
/// waiting (the mailbox keeps its handlers). That circle always ends: a cell settles when the last of its
/// resolvers goes, and settling lets go of both sides.
@usableFromInline
final class Cell: ManagedBuffer<CellHeader, UInt64> {
    /// What a cell does when something happens to it: one closure for each operator, free of captures, so
    /// that a specialised caller allocates nothing for it.
    ///
    /// The first argument is the cell itself, the second the cell to read from.
    @usableFromInline typealias Step = @Sendable (Cell, Cell, Verb) -> Void

    @usableFromInline
    enum Verb: Sendable {
        /// The upstream has settled (or, for a source, the work shall begin). The step owns `payload`.
        case fire
        /// The upstream reported an interim value, held by the second cell. The step borrows `payload`.
        case interim
        /// The value in `payload` is no longer needed.
        case dispose
        /// The value that a seeded cell would have worked on is no longer needed.
        case unseed
    }

    deinit {
        let flags = flags.pointee.load(ordering: .relaxed)
        if flags & Flags.claimed != 0 {
            if flags & Flags.cancelled != 0 {
                // Its outcome is in the flags.
            } else if flags & Flags.rejected != 0 {
                payload.assumingMemoryBound(to: Rejection.self).deinitialize(count: 1)
            } else {
                head.pointee.step(self, self, .dispose)
            }
        } else if flags & Flags.fired == 0 {
            dropWork(flags, Turn.current)
        }
        if let upstream = head.pointee.upstream { Turn.current.bury(.cell(upstream)) }
    }
}

@usableFromInline
struct CellHeader {
    @usableFromInline var step: Cell.Step
    /// What this cell derives from, counted; nil for a source, and once the outcome arrived.
    ///
    /// Counted by hand: a hidden second reference, as the optimiser likes to take one, would tear a chain
    /// down by recursion after all.
    @usableFromInline var upstream: Unmanaged<Cell>?
    /// The next entry of the mailbox that this cell lies in.
    @usableFromInline var next: Unmanaged<Cell>?
    /// The scheduler of whoever started the chain. Kept only by cells that need it: ``Flags/timed``.
    @usableFromInline var scheduler: (any SerialScheduler)?
    @usableFromInline var origin: Origin

    @inlinable
    init(step: @escaping Cell.Step, upstream: Cell?, origin: Origin) {
        self.step = step
        self.upstream = upstream.map(Unmanaged.passRetained)
        self.origin = origin
    }
}

@available(*, unavailable)
extension CellHeader: Sendable {}

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
    /// Makes a cell with room for `Value` (or an error, or the work that comes before either).
    ///
    /// The tail is `mailbox`, `flags`, then `payload`, which is raw: it holds the operator's closure until
    /// that was taken, and the outcome afterwards.
    @inlinable
    static func make<Value>(
        _: Value.Type, flags: UInt64, upstream: Cell?, origin: Origin, closed: Bool = false, seed: Int = 0,
        step: @escaping Step
    ) -> Cell {
        let slack = MemoryLayout<Value>.alignment > 8 ? MemoryLayout<Value>.alignment : 0
        let bytes = max(MemoryLayout<Value>.size + slack, MemoryLayout<() -> Void>.size + seed)
        let buffer = Cell.create(minimumCapacity: 2 + (bytes + 7) / 8) { _ in
            CellHeader(step: step, upstream: upstream, origin: origin)
        }
        let cell = unsafeDowncast(buffer, to: Cell.self)
        cell.withUnsafeMutablePointerToElements { words in
            words[0] = closed ? UInt64(Mail.closed) : 0
            words[1] = flags
        }
        return cell
    }

    /// The plain fields, without the exclusivity checks of a stored property: the words decide who may touch
    /// them, and the thread sanitizer sees it when they do not.
    @inlinable var head: UnsafeMutablePointer<CellHeader> { withUnsafeMutablePointerToHeader { $0 } }

    @usableFromInline var payload: UnsafeMutableRawPointer {
        @inlinable get {
            withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0 + 2) }
        }
    }

    @inlinable
    func payload<Value>(of _: Value.Type) -> UnsafeMutablePointer<Value> {
        let raw = payload
        guard MemoryLayout<Value>.alignment > 8 else { return raw.assumingMemoryBound(to: Value.self) }
        return raw.alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
    }

    /// The rejection of a cell that settled with one.
    @inlinable var rejection: Rejection {
        isCancelled ? .cancellation : payload.assumingMemoryBound(to: Rejection.self).pointee
    }

    /// The value of a cell that was fulfilled, or of an interim one.
    @inlinable
    func value<Value>(as type: Value.Type) -> Value { payload(of: type).pointee }

    /// Moves the operator's closure out; for the owner of `payload`, once.
    @inlinable
    func takeWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).move() }

    /// Where the value lies that a seeded cell works on: behind the closure.
    @inlinable
    func seed<Value>(of _: Value.Type) -> UnsafeMutablePointer<Value> {
        (payload + MemoryLayout<() -> Void>.size).alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
    }

    /// The value to work on, for the owner of `payload`, once.
    @inlinable
    func input<Value>(from source: Cell, as type: Value.Type) -> Value {
        source === self || source.holdsSeed ? source.takeSeed(as: type) : source.value(as: type)
    }

    @inlinable
    func takeSeed<Value>(as type: Value.Type) -> Value {
        mark(Flags.fired)
        return seed(of: type).move()
    }

    /// Whether it is not a source that settles but one that gives its seed away.
    @usableFromInline var holdsSeed: Bool {
        flags.pointee.load(ordering: .acquiring) & (Flags.seeded | Flags.claimed) == Flags.seeded
    }

    /// Lets go of the work, which nobody will do; for the owner of `payload`.
    func dropWork(_ flags: UInt64, _ turn: Turn) {
        if flags & Flags.seeded != 0 { head.pointee.step(self, self, .unseed) }
        if flags & Flags.work != 0 { turn.bury(.work(payload.load(as: Turn.Closure.self))) }
    }

    /// The operator's closure, left where it is; for a borrower.
    @inlinable
    func borrowedWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).pointee }

    @inlinable
    func put<Work>(work: Work) { payload.initializeMemory(as: Work.self, to: work) }
}
