internal import Synchronization

// Starting. Like settling and cancelling it walks a chain in a loop, never by recursion, and leaves what follows
// on the thread's list (`Turn`), so the length of a chain never shows on the stack.

extension Cell {
    /// Starts this cell and everything above it that has not been started.
    ///
    /// The first starter decides on which scheduler the chain runs. With `hop` its sources begin there,
    /// otherwise right here, before the outermost call on this thread returns.
    @usableFromInline
    func start(on scheduler: (any SerialScheduler)?, hop: Bool = false) {
        let turn = Turn.current
        climb(on: scheduler ?? turn.scheduler, hop: hop, turn)
        turn.finish()
    }

    /// As `start`, and never given up but by `cancel`: nobody else's loss of interest ends it.
    @usableFromInline
    func startForGood(on scheduler: (any SerialScheduler)?, hop: Bool) {
        flags.pointee.wrappingAdd(Flags.interest, ordering: .acquiringAndReleasing)
        start(on: scheduler, hop: hop)
    }

    /// Whether it is settled with a value, or becomes so by starting right now, with nothing to wait for and
    /// nothing else being delivered on this thread. If so, a delivery has begun, for the caller to end.
    @usableFromInline
    func settlesAtOnce() -> Bool {
        let turn = Turn.current
        guard !turn.isWorking else { return false }
        if holdsSeed, flags.pointee.load(ordering: .relaxed) & Flags.started == 0 {
            climb(on: turn.scheduler, hop: false, turn)
            turn.finish()
        }
        // Closed: no handler before us is still to be told.
        guard mailbox.pointee.load(ordering: .acquiring) == Mail.closed, !isRejected else { return false }
        mark(Flags.started)
        return turn.begin()
    }

    /// Waits for its upstream without starting it: for a cancellation hook.
    @usableFromInline
    func join() {
        guard mark(Flags.started) & Flags.claimed == 0, let upstream = head.pointee.upstream?.takeUnretainedValue()
        else { return }
        let turn = Turn.current
        _ = subscribe(to: upstream, turn)
        turn.finish()
    }

    /// Returns the cell where there was nothing more to start.
    @discardableResult
    func climb(on scheduler: (any SerialScheduler)?, hop: Bool, _ turn: Turn) -> Cell {
        var cell = self
        while cell.mark(Flags.started) & (Flags.started | Flags.claimed) == 0 {
            if cell.flags.pointee.load(ordering: .relaxed) & Flags.timed != 0 {
                cell.head.pointee.scheduler = scheduler
            }
            // Ours while started and not yet waiting.
            guard let upstream = cell.head.pointee.upstream?.takeUnretainedValue() else {
                cell.begin(hop: hop, turn)
                return cell
            }
            guard cell.subscribe(to: upstream, turn) else { return cell }
            cell = upstream
        }
        cell.arm()
        return cell
    }

    /// Joins the handlers of `upstream`; false when cancelled before that.
    ///
    /// Marked first, for once it has joined it may fire on any thread, and go on to wait for something else:
    /// the starter must not touch it any more.
    func subscribe(to upstream: Cell, _ turn: Turn) -> Bool {
        if flags.pointee.load(ordering: .relaxed) & Flags.uninterested == 0 {
            upstream.flags.pointee.wrappingAdd(Flags.interest, ordering: .acquiringAndReleasing)
        }
        guard mark(Flags.waiting) & Flags.claimed == 0 else {
            // The canceller left the upstream to us.
            _ = takeUpstream()
            upstream.loseInterest(turn, isListed: false)
            return false
        }
        upstream.attach(self, turn)
        return true
    }

    func begin(hop: Bool, _ turn: Turn) {
        guard flags.pointee.load(ordering: .relaxed) & Flags.work != 0 else { return arm() }
        guard hop, let scheduler = head.pointee.scheduler, !scheduler.isCurrent else {
            return turn.add(self, .fire)
        }
        scheduler.schedule { [errand = Errand(self)] in errand.run() }
    }

    /// The scheduler let go of the work without running it.
    fileprivate func abandonWork() { giveUp(PromiseError.abandoned(head.pointee.origin)) }

    /// It waits for something that waits for it.
    func breakCircle() { giveUp(PromiseError.resolvedWithItself) }

    /// Rejects in place of firing.
    func giveUp(_ error: PromiseError) {
        let before = mark(Flags.fired)
        guard before & (Flags.fired | Flags.claimed) == 0 else { return }
        let upstream = takeUpstream()
        dropWork(before, Turn.current)
        reject(Rejection(error, head.pointee.origin))
        withExtendedLifetime(upstream) {}
    }

    /// From now on an error that nobody asks for is reported.
    func arm() {
        if isSettled, isRejected { rejection.arm() }
    }
}

/// The beginning of work, handed to a scheduler. One that goes away unrun must leave no promise pending.
private final class Errand: Sendable {
    private let link: Link
    private let hasRun = Atomic(false)

    init(_ cell: Cell) { link = Link(cell) }

    func run() {
        hasRun.store(true, ordering: .relaxed)
        let turn = Turn.current
        turn.add(link.cell, .fire)
        turn.finish()
    }

    deinit {
        if !hasRun.load(ordering: .relaxed) { link.cell.abandonWork() }
    }
}
