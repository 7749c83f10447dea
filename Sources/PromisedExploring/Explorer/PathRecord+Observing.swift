internal import Promise
internal import PromisedSystem
internal import PromisedTesting

extension PathRecord: SchedulerObserver {
    func readsClock(_ now: Duration) {
        // Also where a property reads it.
        knowledge.isClockRead = true
        note(.clock, Int(now.components.seconds), Int(now.components.attoseconds))
    }

    func schedules() {
        acts()
        if currentThread != thread { knowledge.noteOutside("something was done on another thread") }
    }

    func created(_ system: any ExploredSystem) {
        let isRunning = content.withLock { content in
            content.created.append(system)
            return content.explored != nil
        }
        if isRunning { observeOtherSystems() }
    }
}

extension PathRecord: ChainObserver {
    func started(_ promise: StartedPromise) {
        acts()
        guard let starter = promise.scheduler as? Work ?? currentWork else { return }
        let started = Started(promise: promise, starter: starter, number: starter.startsPromise())
        content.withLock { $0.started.append(started) }
    }

    func joined(_ promise: StartedPromise) {
        acts()
        guard let work = currentWork, promise.scheduler !== work else { return }
        let known = content.withLock { content in
            content.started.first { $0.promise.isSame(as: promise) }
        }
        if let known, known.starter === work { return }
        if let known, let outcome = known.outcome {
            work.learn(.shared, outcome, known.number)
        } else {
            work.followPath()
        }
    }

    /// Notes which promises have settled, after a step: what they remember is what their starters know now.
    func noteOutcomes() {
        var started = content.withLock { $0.started }
        guard !started.isEmpty else { return }
        started.removeAll { $0.promise.isSettled == nil }
        for index in started.indices
        where started[index].outcome == nil && started[index].promise.isSettled == true {
            started[index].outcome = started[index].starter.history
        }
        content.withLock { $0.started = started }
    }

    /// The promises whose outcomes may still be observed.
    var remembered: [Started] { content.withLock { $0.started.filter { $0.outcome != nil } } }
}
