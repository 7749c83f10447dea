public import Synchronization

/// The heap object behind a promise that is not a plain value: one link of a chain.
///
/// ```
///          start            listed by its upstream       delivered to          settle
///   idle ────────▶ starting ──────────────────▶ waiting ────────────▶ fired ──────────▶ settled ───▶ closed
///     │                │                          │  ▲                 │ become          its handlers  late ones
///     │                │                          │  └─────────────────┘ (see Chain)     run           run at once
///     └────────────────┴──────── cancel ──────────┴────────────────────┴───▶ settled
/// ```
///
/// Two atomic words decide every race: ``Flags``, who may touch the plain fields and who may settle, and the
/// mailbox (``Mail``), what arrived and who delivers it. Every change of either is an acquire-release
/// operation, so whoever finds a bit set sees what its setter wrote before.
///
/// What is generic lives in `step`, a closure that an operator writes inside an `@inlinable` function, and in
/// `payload`; everything else is compiled once. References go upwards while idle, and both ways while waiting
/// (a mailbox keeps its handlers). That circle always ends: a cell settles when the last of its resolvers
/// goes, and then lets go of both sides.
///
/// The tail is words: mailbox, flags, then upstream and next (``Flags/linked``), a scheduler
/// (``Flags/timed``), a label (``Flags/labelled``), each only where the flag says so, and `payload`, raw: the
/// operator's closure until it was taken, then the outcome.
@usableFromInline
final class Cell: ManagedBuffer<CellHead, UInt64> {
    /// What a cell does when something happens to it; it captures nothing, so nothing is allocated for it.
    /// The first argument is the cell itself, the second the one to read from.
    @usableFromInline typealias Step = @Sendable (Cell, Cell, Verb) -> Void

    @usableFromInline
    enum Verb: Sendable {
        /// The upstream has settled, or the work shall begin. The step owns `payload`.
        case fire
        /// The upstream reported an interim value, held by the second cell. The step borrows `payload`.
        case interim
        /// The value in `payload` is no longer needed.
        case dispose
        /// The seed, or what is held, is no longer needed. The step owns `payload`.
        case unseed
    }

    deinit {
        let flags = flags.pointee.load(ordering: .relaxed)
        if flags & Flags.claimed == 0 {
            if flags & Flags.fired == 0 { dropWork(flags, Turn.current) }
        } else if flags & Flags.rejected == 0 {
            head.pointee.step(self, self, .dispose)
        } else if flags & Flags.cancelled == 0 {
            payload.assumingMemoryBound(to: Rejection.self).deinitialize(count: 1)
        }
        if flags & Flags.labelled != 0 { block(for: Flags.labelled, as: String.self).deinitialize(count: 1) }
        if flags & Flags.timed != 0 { clock.deinitialize(count: 1) }
        if flags & Flags.linked != 0, let upstream = links.pointee.upstream {
            Turn.current.bury(.cell(upstream))
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

/// A cell's references, counted by hand: a hidden second count, as the optimiser likes to take one, would
/// tear a chain down by recursion after all.
@usableFromInline
struct CellLinks {
    /// What the cell derives from; nil for a source, and once the outcome arrived.
    @usableFromInline var upstream: Unmanaged<Cell>?
    /// The next entry of the mailbox that the cell lies in.
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

/// The word that says who may touch a cell's plain fields.
///
/// | bit | set by | guards against |
/// |---|---|---|
/// | `started` | the first starter | starting twice |
/// | `waiting` | that starter, when it has read `upstream` for the last time | a canceller taking `upstream` while the starter still uses it |
/// | `fired` | whoever delivers the upstream's outcome | a canceller dropping the work while it runs |
/// | `borrowed` | a delivery of an interim value, or `become` | a canceller dropping the work meanwhile: it leaves the rest of the cancelling to the borrower |
/// | `claimed` | the one that may write the outcome | settling twice |
///
/// `rejected` and `cancelled` come with `claimed`; a cancelled cell's `payload` is never written again. The
/// rest says what the cell is, fixed when it is made or becomes another. Above them are two counters:
/// handlers still interested, and handlers that were cancelled and still lie in the mailbox.
@usableFromInline
enum Flags: Sendable {
    @inlinable static var started: UInt64 { 1 << 0 }
    @inlinable static var waiting: UInt64 { 1 << 1 }
    @inlinable static var fired: UInt64 { 1 << 2 }
    @inlinable static var borrowed: UInt64 { 1 << 3 }
    @inlinable static var claimed: UInt64 { 1 << 4 }
    @inlinable static var rejected: UInt64 { 1 << 5 }
    @inlinable static var cancelled: UInt64 { 1 << 6 }
    /// `payload` holds the operator's closure until the cell has fired or was cancelled.
    @inlinable static var work: UInt64 { 1 << 7 }
    /// Behind the work lies the value that it works on, so there is no upstream.
    @inlinable static var seeded: UInt64 { 1 << 8 }
    /// From the start on `payload` holds something that must be told when the cell is cancelled.
    @inlinable static var held: UInt64 { 1 << 9 }
    /// The cell is an interim value on its way, not a handler.
    @inlinable static var interim: UInt64 { 1 << 10 }
    /// The cell wants its upstream's interim values.
    @inlinable static var listens: UInt64 { 1 << 11 }
    /// Waiting on the upstream says nothing about wanting its work: a cancellation hook.
    @inlinable static var uninterested: UInt64 { 1 << 12 }
    @inlinable static var linked: UInt64 { 1 << 13 }
    /// The work needs to know the scheduler of the chain, and has room for it.
    @inlinable static var timed: UInt64 { 1 << 14 }
    @inlinable static var labelled: UInt64 { 1 << 15 }

    /// Of a handler that is made to be listed at once.
    @inlinable static var fresh: UInt64 { started | waiting }

    static var interest: UInt64 { 1 << 16 }
    static var withdrawn: UInt64 { 1 << 40 }
    static func interest(_ flags: UInt64) -> UInt64 { (flags >> 16) & 0xFF_FFFF }
    static func withdrawn(_ flags: UInt64) -> UInt64 { flags >> 40 }
}

// MARK: - Making

extension Cell {
    /// Makes a cell with room for `Value`, an error, or the work that comes before either with its seed.
    @inlinable @inline(__always)
    static func make<Value>(
        _: Value.Type, flags: UInt64, upstream: Cell? = nil, origin: Origin, closed: Bool = false,
        seed: Int = 0, step: @escaping Step
    ) -> Cell {
        let flags = upstream == nil ? flags : flags | Flags.linked
        let slack = MemoryLayout<Value>.alignment > 8 ? MemoryLayout<Value>.alignment : 0
        let bytes = max(MemoryLayout<Value>.size + slack, MemoryLayout<() -> Void>.size + seed)
        let buffer = Cell.create(minimumCapacity: Cell.start(of: 0, in: flags) + (bytes + 7) / 8) { _ in
            CellHead(origin, step)
        }
        let cell = unsafeDowncast(buffer, to: Cell.self)
        cell.withUnsafeMutablePointerToElements { words in
            words[0] = closed ? UInt64(Mail.closed) : 0
            words[1] = flags
        }
        if flags & Flags.linked != 0 { cell.links.initialize(to: CellLinks(upstream)) }
        if flags & Flags.timed != 0 { cell.clock.initialize(to: nil) }
        if flags & Flags.labelled != 0 {
            cell.block(for: Flags.labelled, as: String.self).initialize(to: origin.label ?? "")
        }
        return cell
    }

    /// The first word behind the blocks of those flags that are below `flag`; 0 for all of them.
    @inlinable
    static func start(of flag: UInt64, in flags: UInt64) -> Int {
        let before = flags & (flag &- 1)
        let linked = before >> 13 & 1
        let timed = before >> 14 & 1
        let labelled = before >> 15 & 1
        return Int(2 + 2 * (linked + timed + labelled))
    }
}

// MARK: - Plain fields; the flags say whose they are

extension Cell {
    /// Without the exclusivity checks of a stored property: the words decide who may touch it.
    @inlinable var head: UnsafeMutablePointer<CellHead> { withUnsafeMutablePointerToHeader { $0 } }

    @inlinable
    func block<Content>(for flag: UInt64, as _: Content.Type) -> UnsafeMutablePointer<Content> {
        let flags = flags.pointee.load(ordering: .relaxed)
        return withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0 + Cell.start(of: flag, in: flags)).assumingMemoryBound(
                to: Content.self)
        }
    }

    @inlinable var links: UnsafeMutablePointer<CellLinks> { block(for: Flags.linked, as: CellLinks.self) }
    @inlinable var clock: UnsafeMutablePointer<(any SerialScheduler)?> {
        block(for: Flags.timed, as: (any SerialScheduler)?.self)
    }
    @inlinable var payload: UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(block(for: 0, as: UInt64.self))
    }
}

extension Cell {
    /// Looks at the upstream; for the starter, or the canceller after it.
    var upstream: Cell? {
        guard has(Flags.linked) else { return nil }
        return links.pointee.upstream?.takeUnretainedValue()
    }

    func takeUpstream() -> Cell? {
        guard has(Flags.linked) else { return nil }
        defer { links.pointee.upstream = nil }
        return links.pointee.upstream?.takeRetainedValue()
    }

    func put(upstream: Cell?) { links.pointee.upstream = upstream.map(Unmanaged.passRetained) }

    /// Of a cell that has room for it; nil otherwise.
    var scheduler: (any SerialScheduler)? {
        get { has(Flags.timed) ? clock.pointee : nil }
        set { if has(Flags.timed) { clock.pointee = newValue } }
    }

    @usableFromInline var origin: Origin {
        let label = has(Flags.labelled) ? block(for: Flags.labelled, as: String.self).pointee : nil
        return Origin(place: head.pointee.origin, label: label)
    }

    @inlinable
    func payload<Value>(of _: Value.Type) -> UnsafeMutablePointer<Value> {
        guard MemoryLayout<Value>.alignment > 8 else { return payload.assumingMemoryBound(to: Value.self) }
        return payload.alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
    }

    /// Where the seed lies: behind the closure.
    @inlinable
    func seed<Value>(of _: Value.Type) -> UnsafeMutablePointer<Value> {
        (payload + MemoryLayout<() -> Void>.size).alignedUp(for: Value.self).assumingMemoryBound(
            to: Value.self)
    }

    @inlinable
    func put<Work>(work: consuming Work) { payload.initializeMemory(as: Work.self, to: work) }

    /// Moves the operator's closure out; for the owner of `payload`, once.
    @inlinable
    func takeWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).move() }

    /// The operator's closure, left where it is; for a borrower.
    @inlinable
    func borrowedWork<Work>(as _: Work.Type) -> Work { payload.assumingMemoryBound(to: Work.self).pointee }

    /// Lets go of the work, which nobody will do; for the owner of `payload`.
    func dropWork(_ flags: UInt64, _ turn: Turn) {
        let held = Flags.held | Flags.started
        if flags & Flags.seeded != 0 || flags & held == held { head.pointee.step(self, self, .unseed) }
        if flags & Flags.work != 0 { turn.bury(.work(payload.load(as: Turn.Closure.self))) }
    }

    /// Moves the work of a cell that nobody else refers to in here, and the place it was made at.
    func takeWork(of other: Cell) {
        head.pointee.origin = other.head.pointee.origin
        _ = other.unmark(Flags.work)
        payload.copyMemory(from: other.payload, byteCount: MemoryLayout<() -> Void>.size)
    }
}

// MARK: - The flags

extension Cell {
    @inlinable var flags: UnsafeMutablePointer<Atomic<UInt64>> {
        withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0 + 1).assumingMemoryBound(to: Atomic<UInt64>.self)
        }
    }

    var present: UInt64 { flags.pointee.load(ordering: .acquiring) }

    @usableFromInline
    func has(_ bits: UInt64) -> Bool { present & bits != 0 }

    /// Adds bits and returns the flags as they were.
    @usableFromInline
    @discardableResult
    func mark(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Removes bits and returns the flags as they were.
    func unmark(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Changes the counters and returns the flags as they are.
    @discardableResult
    func count(_ change: UInt64) -> UInt64 {
        flags.pointee.wrappingAdd(change, ordering: .acquiringAndReleasing).newValue
    }

    /// Counts one more that is interested, and starts; returns the flags as they were.
    func engage() -> UInt64 {
        var old = present
        while true {
            let (exchanged, seen) = flags.pointee.weakCompareExchange(
                expected: old, desired: (old | Flags.started) &+ Flags.interest,
                ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = seen
        }
    }

    /// Takes the right to write the outcome; returns the flags as they were, or nil when somebody else has it.
    @usableFromInline
    func claim(_ bits: UInt64) -> UInt64? {
        var old = flags.pointee.load(ordering: .relaxed)
        while old & Flags.claimed == 0 {
            let (exchanged, seen) = flags.pointee.weakCompareExchange(
                expected: old, desired: old | Flags.claimed | bits, ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = seen
        }
        return nil
    }
}
