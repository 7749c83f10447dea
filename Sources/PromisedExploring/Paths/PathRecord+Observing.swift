internal import Promise
internal import PromisedSystem
internal import PromisedTesting
internal import Synchronization

extension PathRecord: SchedulerObserver {
    func readsClock(_ now: Duration) {
        // Also where a property reads it.
        findings.noteDependency(on: .clock)
        note(.clock, Int(now.components.seconds), Int(now.components.attoseconds))
    }

    func schedules() {
        acts()
        if currentThread != thread { findings.noteOutside("something was done on another thread") }
    }

    func runs() { acts() }

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
        guard let starter = promise.scheduler as? WorkItem ?? currentWork else { return }
        note(Started(promise: promise, starter: starter))
    }

    func made(_ promise: StartedPromise, outcome: @escaping @Sendable () -> (any Sendable)?) {
        acts()
        // Its outcome is a value, and which promise has it follows from what has made it.
        let place =
            currentWork?.remembersPromise()
            ?? PathHistory.adding(.path, path, content.withLock { $0.started.count })
        note(
            Started(promise: promise, starter: nil) { [findings] in
                guard let value = outcome() else { return nil }
                let number = findings.numbers?.number(ofAny: value) {
                    findings.noteIncomparable(type(of: value))
                }
                return PathHistory.adding(.shared, number ?? 0, to: place)
            })
    }

    func joined(_ promise: StartedPromise) {
        acts()
        guard let work = currentWork, promise.scheduler !== work else { return }
        let known = content.withLock { content in
            content.started.first { $0.promise.isSame(as: promise) }
        }
        if let known, known.starter === work { return }
        if known == nil { dependsOnOther(promise, work) }
        if let known, known.starter == nil { findings.noteDependency(on: .otherPromises) }
        if let known, let outcome = known.outcome ?? known.settled?() {
            work.learn(.shared, outcome)
        } else {
            work.followPath()
        }
    }

    /// Notes that work waits for a promise that no work has started. From then on its outcome is part of
    /// configurations.
    private func dependsOnOther(_ promise: StartedPromise, _ work: WorkItem) {
        findings.noteDependency(on: .otherPromises)
        if promise.isSettled == true {
            findings.noteOutside(
                "a promise was awaited that had been settled, and that no work of a system has started")
        }
        note(Started(promise: promise, starter: work))
    }

    private func note(_ started: Started) {
        startsPromises.store(true, ordering: .relaxed)
        content.withLock { $0.started.append(started) }
    }

    /// Notes which promises have settled, after a step: what they remember is what their starters know now.
    func noteOutcomes() {
        guard hasStartedPromises else { return }
        // Taken, so that nothing is copied.
        var started = content.withLock { content in
            defer { content.started = [] }
            return content.started
        }
        guard !started.isEmpty else { return }
        started.removeAll { $0.promise.isSettled == nil }
        for index in started.indices
        where started[index].outcome == nil && started[index].promise.isSettled == true {
            let settled = started[index].settled
            started[index].outcome = settled.map { $0() } ?? started[index].starter?.remembersPromise()
        }
        content.withLock { content in
            started += content.started
            content.started = started
        }
    }

    /// Whether there may be outcomes.
    var hasStartedPromises: Bool { startsPromises.load(ordering: .relaxed) }

    /// The outcomes of the promises that may still be observed.
    var outcomes: [Int] {
        // By index, as a copy of an element copies a weak reference.
        content.withLock { content in content.started.indices.compactMap { content.started[$0].outcome } }
    }
}
