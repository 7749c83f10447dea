// What a cell does while nobody else may touch its work: pass an interim value on, or become another cell.

extension PromiseStorage {
    /// Runs `body` while nobody else touches the payload; for the delivery of an interim value, which is
    /// never concurrent with firing.
    func borrowing(_ trampoline: Trampoline, _ body: () -> Void) {
        let before = mark(Flags.borrowed)
        guard before & Flags.claimed == 0 else { return }
        body()
        let after = unmark(Flags.borrowed)
        if after & Flags.claimed != 0 { finishCancelling(after, trampoline) }
    }

    /// Turns a cell that has fired into the one it was told to follow: it takes over that one's place below
    /// `upstream`, and is waiting again.
    ///
    /// So a promise that resolves to a promise that resolves to a promise… is one cell, not a chain of them.
    @usableFromInline
    func replaceWork(_ step: @escaping Step, kind: UInt64, upstream: () -> PromiseStorage?) {
        let trampoline = Trampoline.current
        // When cancelled before, what it was told to follow stays untouched.
        guard mark(Flags.borrowed) & Flags.claimed == 0 else { return }
        put(upstream: upstream())
        headerPointer.pointee.step = step
        let fixed = Flags.work | Flags.wantsInterims
        _ = unmark(fixed | Flags.inlineInput)
        mark(kind & fixed | Flags.hasScheduler)
        let after = unmark(Flags.fired | Flags.waiting | Flags.borrowed)
        if after & Flags.claimed != 0 {
            finishCancelling(after & ~(Flags.started | Flags.waiting), trampoline)
        } else if kind & Flags.inlineInput != 0 {
            begin(hop: false, trampoline)
        } else if startChain(on: scheduler, hop: false, trampoline, returnsMet: true) === self {
            rejectCycle()
        }
        trampoline.finish()
    }

    /// Whether another cell may become this one: nothing has happened to it yet, and it has no label to lose.
    var isAdoptable: Bool { !has(Flags.started | Flags.claimed | Flags.hasLabel) }

    /// Becomes `other`, which is idle and which nobody else refers to.
    func adopt(_ other: PromiseStorage) {
        let kind = other.present
        replaceWork(other.headerPointer.pointee.step, kind: kind) {
            // A seed stays where it is, and is taken from there.
            takeWork(of: other)
            return kind & Flags.inlineInput != 0 ? other : other.takeUpstream()
        }
    }
}
