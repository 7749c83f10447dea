internal import Promise
internal import PromisedSystem

// What code on the path reads.
extension PathRecord {
    /// The work that the calling code belongs to; nil if it belongs to none.
    var currentWork: WorkItem? { inheritedScheduler as? WorkItem }

    /// Sets the system whose feedback is being evaluated, which records the reads meanwhile.
    func evaluate(for system: SystemRecord?) { content.withLock { $0.evaluating = system } }

    /// Runs `body` without recording reads: the explorer's own checks do not influence the system.
    @usableFromInline func inspecting<Result>(_ body: () -> Result) -> Result {
        content.withLock { $0.isInspecting = true }
        defer { content.withLock { $0.isInspecting = false } }
        return body()
    }

    /// Runs `body`, and returns its result unless it has read or changed anything that is recorded.
    @usableFromInline func withoutActivity<Result>(_ body: () -> Result) -> Result? {
        let before = activity
        let result = body()
        return activity == before ? result : nil
    }

    /// Records that a variable was read, by the number of its value.
    func reads(_ value: Int) { note(.variable, value) }

    /// Records that states of a system were read, by their numbers.
    func reads(states: [Int]) {
        note(.states, states.reduce(0) { PathHistory.adding(.states, $1, to: $0) })
    }

    /// Records that something was read that nothing describes: the reader may depend on the whole path.
    @usableFromInline func readsAnything() {
        if content.withLock({ $0.isInspecting }) { return }
        note(.path, path)
        currentWork?.followPath()
    }

    func note(_ kind: PathHistory.Addition, _ first: Int, _ second: Int = 0) {
        acts()
        let (system, isInspecting) = content.withLock { ($0.evaluating, $0.isInspecting) }
        if isInspecting { return }
        if let system { system.reads(kind, first, second) } else { currentWork?.learn(kind, first, second) }
    }
}
