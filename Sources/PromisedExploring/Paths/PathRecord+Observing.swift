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

    func made(_ promise: StartedPromise, outcome: @escaping @Sendable () -> SettledValue?) {
        acts()
        let work = currentWork
        let place = work?.remembersPromise() ?? 0
        startsPromises.store(true, ordering: .relaxed)
        content.withLock { content in
            // Made by an action: work that waits for it is taken to depend on the path.
            guard work != nil || content.explored == nil,
                !content.started.contains(where: { $0.promise.isSame(as: promise) })
            else { return }
            let number = PathHistory.adding(.shared, content.started.count, to: place)
            content.started.append(Started(promise: promise, starter: nil, place: number, value: outcome))
        }
    }

    func joined(_ promise: StartedPromise) {
        acts()
        let work = currentWork
        if let work, promise.scheduler === work { return }
        let known = content.withLock { content in
            content.started.first { $0.promise.isSame(as: promise) }
        }
        if let starter = known?.starter {
            if starter === work { return }
        } else if known != nil {
            findings.noteDependency(on: .otherPromises)
        } else if let work {
            dependsOnOther(promise, work)
        }
        if let known, let outcome = known.outcome ?? settledOutcome(of: known) {
            work?.learn(.shared, outcome)
        } else {
            work?.followPath()
            noteJoiner(currentJoiner, of: promise)
        }
    }

    /// The work that the calling code belongs to, or the step.
    var currentJoiner: Started.Joiner { currentWork.map { .work($0) } ?? .step(path: path) }

    func sets(valueOf holder: Any.Type) {
        acts()
        guard content.withLock({ $0.explored != nil }) else { return }
        findings.noteOutside("the value of \(holder) was set, which is in no configuration")
    }

    private func noteJoiner(_ joiner: Started.Joiner, of promise: StartedPromise) {
        content.withLock { content in
            guard let index = content.started.firstIndex(where: { $0.promise.isSame(as: promise) }) else {
                return
            }
            content.started[index].joiners.append(joiner)
        }
    }

    /// The outcome of a promise that a resolver has settled, as a number: its value, if that can be compared.
    private func settledOutcome(of started: Started) -> Int? {
        guard let settled = started.value?() else { return nil }
        let (value, kind): (any Sendable, Int) =
            switch settled {
            case .value(let value): (value, 1)
            case .error(let error): (error, 2)
            }
        if value is Void { return PathHistory.adding(.shared, 0, to: started.place) }
        // An object may be equal to itself alone, and is created again on each path.
        guard let numbers = findings.numbers, value is any Hashable, !(type(of: value) is AnyClass) else {
            return PathHistory.adding(.path, path, to: started.place)
        }
        return PathHistory.adding(.shared, numbers.number(ofAny: value) {}, kind, to: started.place)
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
            started[index].outcome =
                settledOutcome(of: started[index]) ?? started[index].starter?.remembersPromise()
            started[index].joiners = []
        }
        content.withLock { content in
            started += content.started
            content.started = started
        }
    }

    /// Whether there may be outcomes.
    var hasStartedPromises: Bool { startsPromises.load(ordering: .relaxed) }

    /// The outcomes of the promises that may still be observed, and who waits for those that are pending.
    var outcomes: (settled: [Int], joiners: [(place: Int, joiner: Started.Joiner)]) {
        content.withLock { content in
            var (settled, joiners) = ([Int](), [(place: Int, joiner: Started.Joiner)]())
            // By index, as a copy of an element copies a weak reference.
            for index in content.started.indices {
                if let outcome = content.started[index].outcome {
                    settled.append(outcome)
                } else {
                    // Its place will be a part of its outcome.
                    if content.started[index].value != nil { settled.append(content.started[index].place) }
                    for joiner in content.started[index].joiners {
                        joiners.append((content.started[index].place, joiner))
                    }
                }
            }
            return (settled.sorted(), joiners)
        }
    }
}
