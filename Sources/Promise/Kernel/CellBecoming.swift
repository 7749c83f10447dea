internal import Synchronization

// What a cell does while nobody else may touch its work: pass an interim value on, or become another cell.

extension Cell {
    /// Runs `body` while nobody else touches the payload; for the delivery of an interim value, which is
    /// never concurrent with firing.
    func borrowing(_ turn: Turn, _ body: () -> Void) {
        let before = mark(Flags.borrowed)
        guard before & Flags.claimed == 0 else { return }
        body()
        let after = unmark(Flags.borrowed)
        if after & Flags.claimed != 0 { finishCancelling(after, turn) }
    }

    /// Turns a cell that has fired into the one it was told to follow: it takes over that one's place below
    /// `upstream`, and is waiting again.
    ///
    /// So a promise that resolves to a promise that resolves to a promise… is one cell, not a chain of them.
    @usableFromInline
    func become(_ step: @escaping Step, kind: UInt64, upstream: () -> Cell?) {
        let turn = Turn.current
        // When cancelled before, what it was told to follow stays untouched.
        guard mark(Flags.borrowed) & Flags.claimed == 0 else { return }
        head.pointee.upstream = upstream().map(Unmanaged.passRetained)
        head.pointee.step = step
        let fixed = Flags.work | Flags.listens
        _ = unmark(fixed | Flags.seeded)
        mark(kind & fixed | Flags.timed)
        let after = unmark(Flags.fired | Flags.waiting | Flags.borrowed)
        if after & Flags.claimed != 0 {
            finishCancelling(after & ~(Flags.started | Flags.waiting), turn)
        } else if kind & Flags.seeded == 0, let next = head.pointee.upstream?.takeUnretainedValue() {
            let scheduler = head.pointee.scheduler
            if subscribe(to: next, turn), next.climb(on: scheduler, hop: false, turn) === self {
                breakCircle()
            }
        } else {
            begin(hop: false, turn)
        }
        turn.finish()
    }

    /// Whether nothing has happened to it yet.
    var isIdle: Bool {
        flags.pointee.load(ordering: .acquiring) & (Flags.started | Flags.claimed) == 0
    }

    /// Becomes `other`, which is idle and which nobody else refers to.
    func adopt(_ other: Cell) {
        let kind = other.flags.pointee.load(ordering: .acquiring)
        become(other.head.pointee.step, kind: kind) {
            head.pointee.origin = other.head.pointee.origin
            // Its closure moves, and it must not let go of it a second time; a seed stays where it is.
            _ = other.unmark(Flags.work)
            payload.copyMemory(from: other.payload, byteCount: MemoryLayout<() -> Void>.size)
            return kind & Flags.seeded != 0 ? other : other.takeUpstream()
        }
    }
}
