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
        put(upstream: upstream())
        head.pointee.step = step
        let fixed = Flags.work | Flags.listens
        _ = unmark(fixed | Flags.seeded)
        mark(kind & fixed | Flags.timed)
        let after = unmark(Flags.fired | Flags.waiting | Flags.borrowed)
        if after & Flags.claimed != 0 {
            finishCancelling(after & ~(Flags.started | Flags.waiting), turn)
        } else if kind & Flags.seeded != 0 {
            begin(hop: false, turn)
        } else if rise(on: scheduler, hop: false, turn, returnsMet: true) === self {
            breakCircle()
        }
        turn.finish()
    }

    /// Whether another cell may become this one: nothing has happened to it yet, and it has no label to lose.
    var isAdoptable: Bool { !has(Flags.started | Flags.claimed | Flags.labelled) }

    /// Becomes `other`, which is idle and which nobody else refers to.
    func adopt(_ other: Cell) {
        let kind = other.present
        become(other.head.pointee.step, kind: kind) {
            // A seed stays where it is, and is taken from there.
            takeWork(of: other)
            return kind & Flags.seeded != 0 ? other : other.takeUpstream()
        }
    }
}
