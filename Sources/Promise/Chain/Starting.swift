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
        if mark(Flags.kept) & Flags.kept == 0 { count(Flags.interest) }
        start(on: scheduler, hop: hop)
    }

    /// Whether it is settled with a value, or becomes so by starting right now, with nothing to wait for and
    /// nothing else being delivered on this thread. If so, a delivery has begun, for the caller to end.
    @usableFromInline
    func settlesAtOnce() -> Bool {
        let flags = present
        let isIdleSeed = flags & (Flags.seeded | Flags.started | Flags.claimed) == Flags.seeded
        guard isIdleSeed || isSettled, flags & Flags.rejected == 0 else { return false }
        let turn = Turn.current
        guard !turn.isWorking else { return false }
        guard isIdleSeed else {
            mark(Flags.started)
            return turn.begin()
        }
        if flags & Flags.timed == 0 { fireSeed(turn) } else { climb(on: turn.scheduler, hop: false, turn) }
        turn.finish()
        return isSettled && !isRejected && turn.begin()
    }

    /// Starts a seeded cell and does its work in one step: with nothing above it, and no scheduler to name,
    /// the thread's list would only be a detour.
    private func fireSeed(_ turn: Turn) {
        guard startFired() else { return }
        turn.startWork()
        head.pointee.step(self, self, .fire)
        turn.stopWork()
    }

    /// Starts what it waits for; for a cell that nobody else knows yet, made started and waiting.
    @usableFromInline
    func listen(on scheduler: (any SerialScheduler)? = nil, in turn: Turn = .current) {
        if !joinStarted(turn) { rise(on: scheduler ?? turn.scheduler, hop: false, turn) }
        turn.finish()
    }

    /// Waits for its upstream, where that needs no starting but to be marked so: the short way of `rise`, for
    /// one that nobody else knows yet and that needs no scheduler.
    private func joinStarted(_ turn: Turn) -> Bool {
        guard kind & (Flags.linked | Flags.timed) == Flags.linked, let upstream = links.pointee.upstream
        else { return false }
        return upstream._withUnsafeGuaranteedRef { upstream in
            let isSource = upstream.kind & (Flags.linked | Flags.work) == 0
            guard isSource || upstream.has(Flags.started | Flags.claimed) else { return false }
            _ = upstream.engage()
            upstream.arm()
            upstream.attach(self, turn)
            return true
        }
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
    /// First upwards: each cell counts its interest in the next and starts it in one step. Until it says that
    /// it is waiting, nobody else lets go of its upstream, so the whole path holds still. Then downwards: once
    /// a cell has joined the handlers of its upstream it may fire on any thread, and go on to wait for
    /// something else, and the starter must not touch it any more.
    @discardableResult
    func rise(
        on scheduler: (any SerialScheduler)?, hop: Bool, _ turn: Turn, returnsMet: Bool = false
    ) -> Cell? {
        let path = Path(from: self, scheduler)
        let (source, met) = path.withTop { top -> (Cell?, Cell?) in
            if path.isOurs, top.has(Flags.work) { return (top, nil) }
            top.arm()
            return (nil, returnsMet && !path.isOurs ? top : nil)
        }
        path.descend { cell, upstream in
            if cell.kind & Flags.waiting != 0 || cell.mark(Flags.waiting) & Flags.claimed == 0 {
                upstream.attach(cell, turn)
            } else {
                // The canceller left the upstream to us.
                cell.takeUpstream()?.loseInterest(turn, isListed: false)
            }
        }
        source?.begin(hop: hop, turn)
        return met
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

    /// A scheduler that runs it again changes nothing.
    func run() {
        guard !hasRun.exchange(true, ordering: .relaxed) else { return }
        let turn = Turn.current
        turn.add(link.cell, .fire)
        turn.finish()
    }

    deinit {
        if !hasRun.load(ordering: .relaxed) { link.cell.abandonWork() }
    }
}
