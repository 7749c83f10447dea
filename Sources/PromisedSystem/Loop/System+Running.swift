internal import Promise

extension System {
    /// What is in flight or pending now: the transition, the effects in the order in which they were started, pending
    /// effects, calls of endpoints, and pending events.
    ///
    /// For a look at a program that seems to wait: in a debugger, by a command of a server, or in a test.
    ///
    /// ```swift
    /// let shop = System<Int, Int>(
    ///     initialState: 0, scheduler: .immediate,
    ///     feedbacks: [.latest(state: { $0 }) { _ in Effect<Int> { _ in } }]
    /// ) { _, _ in Promise { resolver in resolver.onCancel {} } }
    /// shop.sendEvent(1)
    /// shop.sendEvent(2)
    /// for work in shop.running { print(work) }
    /// ```
    ///
    /// Calls are those on the system's scheduler, of other systems included. The list never waits for another thread:
    /// if one processes an event at this moment, it has only a ``Running/Kind/busy``. It is empty after the end.
    ///
    /// It can be read on any thread, also inside a callback of the system.
    public var running: [Running] {
        loop.noteQueue(.access)
        return loop.running
    }
}

extension Loop {
    package var running: [Running] {
        if ownership.isStopped { return [] }
        if isOwner { return runningNow }
        guard ownership.tryAcquire() || ownership.tryAcquireHeld() else {
            return [Running(.busy, at: .unknown)]
        }
        defer { endReading() }
        return runningNow
    }

    /// Releases ownership. What has arrived meanwhile is handled later, on the scheduler.
    private func endReading() {
        if ownership.release() { return }
        guard ownership.releaseForWakeUp() else { return clear() }
        scheduler.schedule { [self] in if ownership.tryAcquireAfterWakeUp() { begin() } }
    }

    /// For the owner.
    var runningNow: [Running] {
        let now = now
        return runningTransition(now) + (effects?.running(at: now) ?? [])
            + RunningCalls.running(on: scheduler)
            + (machine.pendingEntries + (progress.hold?.events ?? [])).map { entry in
                let duration = entry.sent.map { max(now - $0.at, .zero) }
                return Running(.pendingEvent, text(of: entry.event), at: entry.origin, for: duration)
            }
            + machine.rateLimiter.all.map { key, entry, delayedAt in
                Running(
                    .delayedEvent, text(of: entry.event), key: key, at: entry.origin, for: now - delayedAt)
            }
    }

    private func runningTransition(_ now: Duration) -> [Running] {
        guard let turn = machine.turn else { return [] }
        let hasLimit = work.withLock { $0.timers.contains(where: \.isPending) }
        return ([.transition] + (hasLimit ? [.timeLimit] : [])).map { kind in
            Running(kind, text(of: turn.event), at: turn.origin, for: turn.startedAt.map { now - $0 })
        }
    }

    private func text(of event: Event) -> String { ValueText(event: event).description }
}

extension LoopMachine {
    fileprivate var pendingEntries: [PendingEvent] {
        replacing.all + behindTurn + behind.reversed() + waiting.all
    }
}

extension RunningEffects {
    /// The effects and the pending requests, each in the order of their numbers.
    fileprivate final func running(at now: Duration) -> [Running] {
        var (running, pending) = ([(number: Int, work: Running)](), [(number: Int, work: Running)]())
        for (feedback, slots) in registry.slots.enumerated() {
            for (key, slot) in slots.pairs {
                slot.runs.forEach { run in
                    let work = Running(
                        .effect, key: key, at: origin(of: run.requester),
                        for: run.runningSince.map { now - $0 },
                        request: (run.requester, run.requestNumber))
                    running.append((run.number, work))
                }
                for waiting in slot.pending {
                    let requester = waiting.request.requester ?? feedback
                    let work = Running(
                        .pendingEffect, key: key, at: origin(of: requester), for: now - waiting.since,
                        request: (requester, waiting.requestNumber))
                    pending.append((waiting.requestNumber, work))
                }
            }
        }
        return [running, pending].flatMap { $0.sorted { $0.number < $1.number }.map(\.work) }
    }
}
