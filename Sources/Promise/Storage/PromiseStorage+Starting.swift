internal import Synchronization

// Starting. Like settling and cancelling, it walks a chain in a loop, never by recursion, and enqueues further steps on
// the thread's ``Trampoline``, so the stack depth does not depend on the length of a chain.

extension PromiseStorage {
    /// Starts this promise and every unstarted promise upstream, and retains the interest: only an explicit `cancel`
    /// ends the work, not the loss of other handlers.
    ///
    /// The first starter determines the scheduler of the chain. With `hop`, the source's work is scheduled there;
    /// otherwise it begins on this thread, before the outermost call into the library returns.
    func startRetained(on scheduler: (any SerialScheduler)?, hop: Bool) {
        if !insert(.retainedByStart).contains(.retainedByStart) { count(interest: 1) }
        Trampoline.finishing { startIfNeeded(on: scheduler ?? $0.scheduler, hop: hop, $0) }
    }

    /// Attaches to the upstream and starts that; for a newly created storage with `started` and `waiting` set, which no
    /// other thread can reach.
    ///
    /// - Parameter target: The promise that settles with what this handler receives, if that is certain.
    /// - Returns: Whether the target waits for itself: then this handler was removed, and receives nothing.
    @usableFromInline @discardableResult
    func observeUpstream(
        on scheduler: (any SerialScheduler)? = nil, in trampoline: Trampoline = .current,
        for target: PromiseStorage? = nil
    ) -> Bool {
        let waiting = target.map { trampoline.waiting ?? $0 }
        var isCycle = waiting != nil && upstream === waiting
        if !attachIfStarted(trampoline),
            startChain(on: scheduler ?? trampoline.scheduler, hop: false, trampoline, for: waiting)
        {
            isCycle = true
        }
        isCycle = isCycle && withdraw(trampoline)
        trampoline.finish()
        return isCycle
    }

    /// The fast path of `startChain`: attaches to an upstream that was started, or that needs only the flag to be set,
    /// as it has no work; for a new storage that no other thread can reach and that needs no scheduler. Otherwise
    /// returns false without effect.
    private func attachIfStarted(_ trampoline: Trampoline) -> Bool {
        guard kind.intersection(.hasUpstream | .hasScheduler) == .hasUpstream,
            let upstream = links.pointee.upstream
        else { return false }
        return upstream._withUnsafeGuaranteedRef { upstream in
            let isSource = !upstream.kind.contains(any: .hasUpstream | .work)
            guard isSource || upstream.has(.started | .claimed) else { return false }
            trampoline.noteJoining(upstream)
            _ = upstream.retainAndStart()
            upstream.markReportable()
            upstream.attach(self, trampoline)
            return true
        }
    }

    /// Starts a storage with a held resource; a no-op that returns false if it was cancelled before.
    func startHolder() -> Bool {
        guard !insert(.started).contains(.claimed) else { return false }
        Trampoline.finishing { _ = startChain(on: $0.scheduler, hop: false, $0) }
        return true
    }

    /// Attaches to the upstream without starting it or counting as interest; for a new cancellation hook with `started`
    /// and `waiting` set, which no other thread can reach.
    func join() {
        if let upstream { Trampoline.finishing { upstream.attach(self, $0) } }
    }

    /// Counts one more interested handler and sets `started`, in one atomic step; returns the previous state. For a
    /// starter that comes from a downstream storage.
    ///
    /// If that holds the only reference, this storage cannot be cancelled before it is enqueued upstream, so `waiting`
    /// is set at the same time.
    func retainAndStart() -> State {
        guard isUniquelyReferenced else {
            return exchangeState { ($0 | .started).counting(interest: 1) } ?? .noFlags
        }
        let isIdle = !kind.contains(any: .started | .claimed)
        return insertUnshared(isIdle ? .startedAndWaiting : .started, countingInterest: 1)
    }

    func startIfNeeded(on scheduler: (any SerialScheduler)?, hop: Bool, _ trampoline: Trampoline) {
        if !insert(.started).contains(any: .started | .claimed) {
            if let scheduler, !has(.hasScheduler) { list(scheduler) }
            startChain(on: scheduler, hop: hop, trampoline)
        } else {
            markReportable()
        }
    }

    /// Attaches this storage to its upstream and starts that, and so on up to the source; for the thread that set
    /// `started` on this storage.
    ///
    /// The first pass goes up: each storage counts its interest in its upstream and starts it, in one step. Until it is
    /// `waiting`, no other thread releases its upstream, so the path cannot change. The second pass goes down: once a
    /// storage is in its upstream's waiter list, it may fire on any thread and then wait for another promise, so the
    /// starter must not access it any more.
    ///
    /// - Parameter waiting: A promise that has been started and waits for this one, if any.
    /// - Returns: Whether the first pass stopped there, so that it waits for itself.
    @discardableResult
    func startChain(
        on scheduler: (any SerialScheduler)?, hop: Bool, _ trampoline: Trampoline,
        for waiting: PromiseStorage? = nil
    ) -> Bool {
        let chain = UnstartedChain(from: self, scheduler, trampoline)
        let (source, isCycle) = chain.withTop { top -> (PromiseStorage?, Bool) in
            if chain.startedTop, top.has(.work) { return (top, false) }
            trampoline.noteJoining(top)
            top.markReportable()
            return (nil, !chain.startedTop && (top === waiting || top === self))
        }
        chain.descend { storage, upstream in
            if storage.kind.contains(.waiting) || !storage.insert(.waiting).contains(.claimed) {
                upstream.attach(storage, trampoline)
            } else {
                // The canceller found it not yet waiting and left its upstream to this thread.
                storage.takeUpstream()?.loseInterest(trampoline, isListed: false)
            }
        }
        source?.begin(hop: hop, trampoline, for: waiting)
        return isCycle
    }

    /// Records the scheduler of a pending promise, which has no field for it, as an entry of the waiter list, from
    /// which the handlers behind it inherit.
    private func list(_ scheduler: any SerialScheduler) {
        let note = PromiseStorage.make(
            Void.self, flags: .work | .hasUpstream | .wantsInterims | .startedAndWaiting, origin: origin,
            work: StoredClosure { Trampoline.current.scheduler = scheduler }
        ) { note, _, event in
            switch event {
            case .fire: note.takeWork(as: StoredClosure.self).run()
            case .interim: note.borrowedWork(as: StoredClosure.self).run()
            case .dispose, .release: break
            }
        }
        _ = list(note)
    }

    func begin(hop: Bool, _ trampoline: Trampoline, for waiting: PromiseStorage? = nil) {
        guard has(.work) else { return markReportable() }
        // Work on an inline input has nothing to wait for: it runs on the thread that starts it, without a hop.
        guard hop, !has(.inlineInput), let scheduler, !scheduler.isCurrent else {
            return trampoline.add(self, .fire(waiting === self ? nil : waiting.map(Unmanaged.passRetained)))
        }
        // Another thread may cancel it before it is fired: the scheduler has been recorded.
        insert(.waiting)
        scheduler.schedule { [start = ScheduledStart(self)] in start.run() }
    }

    /// Rejects as abandoned: the scheduler released the work without running it.
    fileprivate func abandonWork() { rejectInstead(PromiseError.abandoned(origin)) }

    /// Rejects because the promise waits, directly or indirectly, for itself.
    func rejectCycle() { rejectInstead(PromiseError.resolvedWithItself) }

    /// Rejects instead of running the work; a no-op if the storage has fired or was claimed.
    func rejectInstead(_ error: PromiseError) {
        let before = insert(.fired)
        guard !before.contains(any: .fired | .claimed) else { return }
        let upstream = takeUpstream()
        dropWork(before, Trampoline.current)
        reject(Rejection(error, origin))
        withExtendedLifetime(upstream) {}
    }

    /// Enables the report of an unhandled error; for a promise that was started after it was rejected.
    func markReportable() {
        if isSettled, isRejected { rejection.markReportable() }
    }
}

/// The start of a promise's work, passed to a scheduler. If it is released without having run, it rejects the promise
/// as abandoned, so that none stays pending.
private final class ScheduledStart: Sendable {
    private let reference: StorageReference
    private let hasRun = Atomic(false)

    init(_ storage: PromiseStorage) { reference = StorageReference(storage) }

    /// Starts the work; a no-op if a scheduler calls it again.
    func run() {
        guard !hasRun.exchange(true, ordering: .relaxed) else { return }
        Trampoline.finishing { $0.add(reference.storage, .fire()) }
    }

    deinit {
        if !hasRun.load(ordering: .relaxed) { reference.storage.abandonWork() }
    }
}

/// The path from a promise that is being started up to its source, linked downwards through `next`, which is unused
/// until a storage is enqueued upstream. It retains nothing: a started storage that is not `waiting` keeps its
/// upstream.
struct UnstartedChain {
    private var highest: Unmanaged<PromiseStorage>
    private var below: Unmanaged<PromiseStorage>?
    private(set) var startedTop = true  // this call started the topmost one

    /// Starts every unstarted storage upstream of `storage`.
    init(from storage: PromiseStorage, _ scheduler: (any SerialScheduler)?, _ trampoline: Trampoline) {
        highest = Unmanaged.passUnretained(storage)
        while startedTop, let upstream = prepare(scheduler) {
            (below, highest) = (highest, upstream)
            let before = upstream._withUnsafeGuaranteedRef { $0.retainAndStart() }
            startedTop = !before.contains(any: .started | .claimed)
            if startedTop {
                upstream._withUnsafeGuaranteedRef { trampoline.noteStart(of: $0, on: scheduler) }
            }
        }
    }

    private func prepare(_ scheduler: (any SerialScheduler)?) -> Unmanaged<PromiseStorage>? {
        highest._withUnsafeGuaranteedRef { storage in
            // Not again in a storage that forwards: other threads may be reading it.
            if let scheduler, storage.scheduler == nil { storage.scheduler = scheduler }
            guard storage.has(.hasUpstream), let upstream = storage.links.pointee.upstream else {
                return nil
            }
            storage.links.pointee.next = below
            return upstream
        }
    }

    func withTop<Result>(_ body: (PromiseStorage) -> Result) -> Result {
        highest._withUnsafeGuaranteedRef(body)
    }

    /// Calls `body` with each storage and its upstream, from the top down. Afterwards both may have been released.
    ///
    /// Once a storage is `waiting`, a canceller may release its upstream, which is therefore retained during `body`.
    /// This is unnecessary for a storage that cannot be cancelled yet; that one is marked as waiting already.
    func descend(_ body: (PromiseStorage, PromiseStorage) -> Void) {
        var (upper, lower) = (highest, below)
        while let storage = lower {
            lower = storage._withUnsafeGuaranteedRef { $0.links.pointee.next }
            let cannotBeCancelled = storage._withUnsafeGuaranteedRef { $0.kind.contains(.waiting) }
            if !cannotBeCancelled { _ = upper.retain() }
            storage._withUnsafeGuaranteedRef { storage in upper._withUnsafeGuaranteedRef { body(storage, $0) }
            }
            if !cannotBeCancelled { upper.release() }
            upper = storage
        }
    }
}
