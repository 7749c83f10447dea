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
        count(Flags.interest)
        start(on: scheduler, hop: hop)
    }

    /// Whether it is settled with a value, or becomes so by starting right now, with nothing to wait for and
    /// nothing else being delivered on this thread. If so, a delivery has begun, for the caller to end.
    @usableFromInline
    func settlesAtOnce() -> Bool {
        let flags = present
        let isIdleSeed = flags & (Flags.seeded | Flags.started | Flags.claimed) == Flags.seeded
        // Closed: no handler before us is still to be told.
        guard isIdleSeed || isClosed, flags & Flags.rejected == 0 else { return false }
        let turn = Turn.current
        guard !turn.isWorking else { return false }
        if isIdleSeed {
            climb(on: turn.scheduler, hop: false, turn)
            turn.finish()
            guard isClosed, !isRejected else { return false }
        }
        mark(Flags.started)
        return turn.begin()
    }

    /// Starts what it waits for; for a cell that nobody else knows yet, made started and waiting.
    @usableFromInline
    func listen(on scheduler: (any SerialScheduler)? = nil) {
        let turn = Turn.current
        rise(on: scheduler ?? turn.scheduler, hop: false, turn, isFresh: true)
        turn.finish()
    }

    /// Starts a cell that holds something; false when it was cancelled before, and then does nothing.
    @usableFromInline
    func startHeld() -> Bool {
        guard mark(Flags.started) & Flags.claimed == 0 else { return false }
        let turn = Turn.current
        rise(on: turn.scheduler, hop: false, turn)
        turn.finish()
        return true
    }

    /// Waits for its upstream without starting it: for a cancellation hook that nobody else knows yet, made
    /// started and waiting.
    func join() {
        guard let upstream else { return }
        let turn = Turn.current
        upstream.attach(self, turn)
        turn.finish()
    }

    func climb(on scheduler: (any SerialScheduler)?, hop: Bool, _ turn: Turn) {
        if mark(Flags.started) & (Flags.started | Flags.claimed) == 0 {
            rise(on: scheduler, hop: hop, turn)
        } else {
            arm()
        }
    }

    /// Waits for its upstream and starts that, which waits for its own, and so on upwards; for the one that
    /// started this cell. Returns what was started already, if it came to that.
    ///
    /// A cell counts its interest and starts its upstream in one step, then says that it is waiting, then joins
    /// the handlers: once it has joined it may fire on any thread, and go on to wait for something else, so
    /// the starter must not touch it any more.
    @discardableResult
    func rise(on scheduler: (any SerialScheduler)?, hop: Bool, _ turn: Turn, isFresh: Bool = false) -> Cell? {
        var cell = self
        var isFresh = isFresh
        while true {
            cell.scheduler = scheduler
            // Ours while started and not yet waiting.
            guard let upstream = cell.upstream else {
                cell.begin(hop: hop, turn)
                return nil
            }
            let isOurs = upstream.engage() & (Flags.started | Flags.claimed) == 0
            if isFresh || cell.mark(Flags.waiting) & Flags.claimed == 0 {
                upstream.attach(cell, turn)
            } else {
                // The canceller left the upstream to us.
                _ = cell.takeUpstream()
                upstream.loseInterest(turn, isListed: false)
            }
            isFresh = false
            guard isOurs, !upstream.has(Flags.claimed) else {
                upstream.arm()
                return upstream
            }
            cell = upstream
        }
    }

    func begin(hop: Bool, _ turn: Turn) {
        guard has(Flags.work) else { return arm() }
        // A seed is a value that is there already: what is made of it is made where it is started.
        guard hop, !has(Flags.seeded), let scheduler, !scheduler.isCurrent else {
            return turn.add(self, .fire)
        }
        scheduler.schedule { [errand = Errand(self)] in errand.run() }
    }

    /// The scheduler let go of the work without running it.
    fileprivate func abandonWork() { giveUp(PromiseError.abandoned(origin)) }

    /// It waits for something that waits for it.
    func breakCircle() { giveUp(PromiseError.resolvedWithItself) }

    /// Rejects in place of firing.
    func giveUp(_ error: PromiseError) {
        let before = mark(Flags.fired)
        guard before & (Flags.fired | Flags.claimed) == 0 else { return }
        let upstream = takeUpstream()
        dropWork(before, Turn.current)
        reject(Rejection(error, origin))
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
