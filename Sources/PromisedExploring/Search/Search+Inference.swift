// Steps that need not be executed, because their targets follow from those of others.
extension Search {
    /// Whether steps from a node may be inferred once those from a nearer one are known.
    func isDeferred(_ node: Int) -> Bool {
        guard let base = graph.queued(in: node)?.base else { return false }
        return graph.distance(of: base) < graph.distance(of: node) && graph.unknownStep(from: base) != nil
    }

    /// The step that is executed next: while a transition is running those first that enqueue nothing, as it may follow
    /// from them that nothing needs to be enqueued.
    func nextStep(from node: Int) -> Int? {
        guard let first = graph.unknownStep(from: node), graph.isBusy(node) else {
            return graph.unknownStep(from: node)
        }
        return otherSteps(of: node).first { graph.target(of: $0, from: node) == .unknown } ?? first
    }

    /// The number of the event that a step sends, if it is enqueued while a transition is running.
    func enqueued(by choice: Int, from node: Int) -> Int? {
        guard let admissions = run?.driver.admissions, !admissions.isEmpty,
            case .send(let index) = graph.moves(of: node)[choice], case .queue(let event) = admissions[index]
        else { return nil }
        return event
    }

    /// The steps that do anything else than to enqueue an event that is explored.
    // An array: a lazy sequence would retain the tables, which the caller changes.
    func otherSteps(of node: Int) -> [Int] {
        graph.moves(of: node).indices.filter { enqueued(by: $0, from: node) == nil }
    }

    /// Records the targets of steps that need not be executed, because enqueuing an event while a transition is running
    /// only appends it to the queue: that step, and the steps that do the same however long the queue is.
    mutating func infer(from node: Int) {
        guard graph.isBusy(node), graph.distance(of: node) < graph.limit,
            graph.unknownStep(from: node) != nil, let admissions = run?.driver.admissions, !admissions.isEmpty
        else { return }
        if let queued = graph.queued(in: node) { inferOtherSteps(from: node, queued) }
        if postpones(node) { return }
        for choice in graph.moves(of: node).indices {
            guard let event = enqueued(by: choice, from: node),
                graph.target(of: choice, from: node) == .unknown
            else { continue }
            inferTarget(of: choice, from: node, with: event, behind: node)
        }
    }

    private mutating func inferOtherSteps(from node: Int, _ queued: StateGraph.Queued) {
        for choice in otherSteps(of: node)
        where graph.isQuiet(choice, from: queued.base) && graph.target(of: choice, from: node) == .unknown {
            switch graph.target(of: choice, from: queued.base) {
            case .node(let next) where graph.isBusy(next):
                inferTarget(of: choice, from: node, with: queued.event, behind: next)
            case .violation:
                noteViolation(by: choice, from: node, isQuiet: true)
                countInferred()
            // The event is processed in the same step, which is executed.
            case .node, .unknown, .postponed: break
            }
        }
    }

    /// Infers that a step leads to a configuration that differs from `base` by an enqueued event.
    private mutating func inferTarget(of choice: Int, from node: Int, with event: Int, behind base: Int) {
        let isQuiet = base != node
        let fingerprint = WorldConfiguration.fingerprint(of: known.all[base], andQueued: event)
        let found = known.number(of: fingerprint) ?? graph.count
        if found == graph.count {
            known.add(fingerprint)
            graph.add(
                graph.moves(of: base), from: (node, choice), queued: .init(base: base, event: event),
                isBusy: true)
        }
        graph.note(.node(found), of: choice, from: node, isQuiet: isQuiet)
        countInferred()
    }

    private mutating func countInferred() {
        statistics.inferred += 1
        reportProgress()
    }
}
