internal import Synchronization

// Starting. Like settling and cancelling it walks a chain in a loop, never by recursion, and leaves what follows
// on the thread's list (`Trampoline`), so the length of a chain never shows on the stack.

extension PromiseStorage {
    /// Starts this cell and everything above it that has not been started.
    ///
    /// The first starter decides on which scheduler the chain runs. With `hop` its sources begin there,
    /// otherwise right here, before the outermost call on this thread returns.
    @usableFromInline
    func start(on scheduler: (any SerialScheduler)?, hop: Bool = false) {
        let trampoline = Trampoline.current
        startIfNeeded(on: scheduler ?? trampoline.scheduler, hop: hop, trampoline)
        trampoline.finish()
    }

    /// As `start`, and never given up but by `cancel`: nobody else's loss of interest ends it.
    @usableFromInline
    func startForGood(on scheduler: (any SerialScheduler)?, hop: Bool) {
        if mark(Flags.retainedByStart) & Flags.retainedByStart == 0 { count(Flags.interest) }
        start(on: scheduler, hop: hop)
    }

    /// Whether it is settled with a value, or becomes so by starting right now, with nothing to wait for and
    /// nothing else being delivered on this thread. If so, a delivery has begun, for the caller to end.
    @usableFromInline
    func settleSynchronously() -> Bool {
        let flags = present
        let isIdleInline = flags & (Flags.inlineInput | Flags.started | Flags.claimed) == Flags.inlineInput
        guard isIdleInline || isSettled, flags & Flags.rejected == 0 else { return false }
        let trampoline = Trampoline.current
        guard !trampoline.isDraining else { return false }
        guard isIdleInline else {
            mark(Flags.started)
            return trampoline.begin()
        }
        if flags & Flags.hasScheduler == 0 {
            runInline(trampoline)
        } else {
            startIfNeeded(on: trampoline.scheduler, hop: false, trampoline)
        }
        trampoline.finish()
        return isSettled && !isRejected && trampoline.begin()
    }

    /// Starts a seeded cell and does its work in one step: with nothing above it, and no scheduler to name,
    /// the thread's list would only be a detour.
    private func runInline(_ trampoline: Trampoline) {
        guard startFired() else { return }
        trampoline.beginDraining()
        headerPointer.pointee.step(self, self, .fire)
        trampoline.endDraining()
    }

    /// Starts what it waits for; for a cell that nobody else knows yet, made started and waiting.
    @usableFromInline
    func observeUpstream(on scheduler: (any SerialScheduler)? = nil, in trampoline: Trampoline = .current) {
        if !attachIfStarted(trampoline) {
            startChain(on: scheduler ?? trampoline.scheduler, hop: false, trampoline)
        }
        trampoline.finish()
    }

    /// Waits for its upstream, where that needs no starting but to be marked so: the short way of `startChain`, for
    /// one that nobody else knows yet and that needs no scheduler.
    private func attachIfStarted(_ trampoline: Trampoline) -> Bool {
        guard kind & (Flags.hasUpstream | Flags.hasScheduler) == Flags.hasUpstream,
            let upstream = links.pointee.upstream
        else { return false }
        return upstream._withUnsafeGuaranteedRef { upstream in
            let isSource = upstream.kind & (Flags.hasUpstream | Flags.work) == 0
            guard isSource || upstream.has(Flags.started | Flags.claimed) else { return false }
            _ = upstream.retainAndStart()
            upstream.markReportable()
            upstream.attach(self, trampoline)
            return true
        }
    }

    /// Starts a cell that holds something; false when it was cancelled before, and then does nothing.
    @usableFromInline
    func startHolder() -> Bool {
        guard mark(Flags.started) & Flags.claimed == 0 else { return false }
        let trampoline = Trampoline.current
        startChain(on: trampoline.scheduler, hop: false, trampoline)
        trampoline.finish()
        return true
    }

    /// Waits for its upstream without starting it: for a cancellation hook that nobody else knows yet, made
    /// started and waiting.
    func join() {
        guard let upstream else { return }
        let trampoline = Trampoline.current
        upstream.attach(self, trampoline)
        trampoline.finish()
    }

    func startIfNeeded(on scheduler: (any SerialScheduler)?, hop: Bool, _ trampoline: Trampoline) {
        if mark(Flags.started) & (Flags.started | Flags.claimed) == 0 {
            startChain(on: scheduler, hop: hop, trampoline)
        } else {
            markReportable()
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
    func startChain(
        on scheduler: (any SerialScheduler)?, hop: Bool, _ trampoline: Trampoline, returnsMet: Bool = false
    ) -> PromiseStorage? {
        let path = UnstartedChain(from: self, scheduler)
        let (source, met) = path.withTop { top -> (PromiseStorage?, PromiseStorage?) in
            if path.isOurs, top.has(Flags.work) { return (top, nil) }
            top.markReportable()
            return (nil, returnsMet && !path.isOurs ? top : nil)
        }
        path.descend { storage, upstream in
            if storage.kind & Flags.waiting != 0 || storage.mark(Flags.waiting) & Flags.claimed == 0 {
                upstream.attach(storage, trampoline)
            } else {
                // The canceller left the upstream to us.
                storage.takeUpstream()?.loseInterest(trampoline, isListed: false)
            }
        }
        source?.begin(hop: hop, trampoline)
        return met
    }

    func begin(hop: Bool, _ trampoline: Trampoline) {
        guard has(Flags.work) else { return markReportable() }
        // A seed is a value that is there already: what is made of it is made where it is started.
        guard hop, !has(Flags.inlineInput), let scheduler, !scheduler.isCurrent else {
            return trampoline.add(self, .fire)
        }
        scheduler.schedule { [errand = ScheduledStart(self)] in errand.run() }
    }

    /// The scheduler let go of the work without running it.
    fileprivate func abandonWork() { rejectInstead(PromiseError.abandoned(origin)) }

    /// It waits for something that waits for it.
    func rejectCycle() { rejectInstead(PromiseError.resolvedWithItself) }

    /// Rejects in place of firing.
    func rejectInstead(_ error: PromiseError) {
        let before = mark(Flags.fired)
        guard before & (Flags.fired | Flags.claimed) == 0 else { return }
        let upstream = takeUpstream()
        dropWork(before, Trampoline.current)
        reject(Rejection(error, origin))
        withExtendedLifetime(upstream) {}
    }

    /// From now on an error that nobody asks for is reported.
    func markReportable() {
        if isSettled, isRejected { rejection.markReportable() }
    }
}

/// The beginning of work, handed to a scheduler. One that goes away unrun must leave no promise pending.
private final class ScheduledStart: Sendable {
    private let reference: StorageReference
    private let hasRun = Atomic(false)

    init(_ storage: PromiseStorage) { reference = StorageReference(storage) }

    /// A scheduler that runs it again changes nothing.
    func run() {
        guard !hasRun.exchange(true, ordering: .relaxed) else { return }
        let trampoline = Trampoline.current
        trampoline.add(reference.storage, .fire)
        trampoline.finish()
    }

    deinit {
        if !hasRun.load(ordering: .relaxed) { reference.storage.abandonWork() }
    }
}
