// Whether merging was right: the steps of a known configuration are executed on other paths to it, too.
extension Search {
    /// Executes the steps behind some of the ways to each configuration to which several lead, and notes a path whose
    /// last step leads elsewhere than it is known to lead.
    mutating func audit() {
        if isNondeterministic {
            deviation = firstDeviation(on: takenPath)
        } else if bounds.options.audit == 0 || failingPath != nil || findings.hasDoubts {
            return
        }
        var steps = 0
        findings.values.frozen {
            for arrival in arrivals() where deviation == nil && !hasToRestart {
                if isTimeOver { break }
                deviation = deviation(behind: arrival, &steps)
            }
        }
        // An audit of every step is asked for, and so are its gaps.
        if bounds.options.audit == 1, isTimeOver { statistics.limit = statistics.limit ?? .timeLimit }
        statistics.audited += steps
        if isNondeterministic, deviation == nil { deviation = takenPath }
    }

    private var knownSteps: some Sequence<TakenStep> {
        (0..<graph.count).lazy.flatMap { node in
            graph.moves(of: node).indices.lazy.map { TakenStep(node: node, choice: $0) }
        }
    }

    /// The steps that are audited, the nearest first: those of a fixed random choice.
    private func arrivals() -> [TakenStep] {
        var ways = Array(repeating: 0, count: graph.count)
        ways[0] = 1
        for case .node(let next) in knownSteps.lazy.map({ graph.target(of: $0) }) { ways[next] += 1 }
        func isAudited(_ step: TakenStep) -> Bool {
            guard case .node(let next) = graph.target(of: step) else { return false }
            return ways[next] > 1 || graph.queued(in: next) != nil
        }
        let (wanted, steps) = (max(bounds.options.audit, 1), statistics.steps - stepsBefore)
        let most = wanted == 1 ? max(10 * steps, 10_000) : max(10 * steps / wanted, 1)
        let cost = knownSteps.reduce(0) { isAudited($1) ? $0 + self.cost(of: $1) : $0 }
        let rate = max(wanted, cost / most)
        return knownSteps.filter { step in
            isAudited(step)
                && PathHistory.adding(.path, step.node, step.choice).magnitude.isMultiple(of: UInt(rate))
        }
        .sorted { graph.distance(of: $0.node) < graph.distance(of: $1.node) }
    }

    /// The number of steps that an audit executes. To build a system takes as long as some of them.
    private func cost(of arrival: TakenStep) -> Int {
        guard case .node(let next) = graph.target(of: arrival) else { return 0 }
        return (graph.distance(of: arrival.node) + 6) * max(graph.knownCount(from: next), 1)
    }

    /// A path over a step and a further one that leads elsewhere than it should.
    private func deviation(behind arrival: TakenStep, _ executed: inout Int) -> [TakenStep]? {
        guard case .node(let next) = graph.target(of: arrival) else { return nil }
        let path = graph.path(to: arrival.node).steps + [arrival]
        let further = graph.moves(of: next).indices.map { TakenStep(node: next, choice: $0) }
            .filter { isKnown(graph.target(of: $0)) }
        for path in further.isEmpty ? [path] : further.map({ path + [$0] }) {
            executed += path.count
            if walk(path, comparingFrom: path.count - 2).deviates { return firstDeviation(on: path) ?? path }
        }
        return nil
    }

    private func isKnown(_ target: StateGraph.StepTarget) -> Bool {
        switch target {
        case .node, .violation: true
        case .unknown, .postponed: false
        }
    }

    /// The beginning of a path up to the first step that leads elsewhere than it is known to lead.
    func firstDeviation(on path: [TakenStep]) -> [TakenStep]? {
        let (steps, deviates) = walk(path, comparingFrom: 0)
        return deviates ? Array(path.prefix(steps)) : nil
    }

    /// Executes steps on a new system, up to the first from an index on that leads elsewhere.
    private func walk(_ path: [TakenStep], comparingFrom first: Int) -> (steps: Int, deviates: Bool) {
        let run = makeRun()
        for (index, step) in path.enumerated() {
            let isViolated = take(step, run) != nil
            if index >= first, !isTarget(of: step, run, isViolated) { return (index + 1, true) }
        }
        return (path.count, false)
    }

    private func take(_ step: TakenStep, _ run: ExplorationRun) -> Violation? {
        run.name = step.node
        run.take(graph.move(of: step))
        return run.violation(run.record.takeViolation())
    }

    /// Whether a step has led to where it is known to lead.
    private func isTarget(of step: TakenStep, _ run: ExplorationRun, _ isViolated: Bool) -> Bool {
        if run.isNondeterministic { return false }
        switch graph.target(of: step) {
        case .unknown, .postponed: return true
        case .violation: return isViolated
        case .node(let next):
            guard let configuration = run.configuration else { return !isViolated }
            return !isViolated && configuration.fingerprint == known.all[next]
                && run.moves == graph.moves(of: next)
        }
    }

    // MARK: Reports

    /// Another path whose last step is the same, and leads elsewhere; the same path if nothing differs, or if it leads
    /// elsewhere each time.
    func counterpart(of path: [TakenStep]) -> (
        path: [TakenStep], differences: [ConfigurationParts.Difference]
    ) {
        guard let last = path.last else { return (path, []) }
        let ways = knownSteps.filter { graph.target(of: $0) == .node(last.node) }.prefix(100)
            .map { graph.path(to: $0.node).steps + [$0] }
        for way in [Array(path.dropLast()), graph.path(to: last.node).steps] + ways {
            let differences = ConfigurationParts.differences(end(of: path), end(of: way + [last]))
            if !differences.isEmpty { return (way + [last], differences) }
        }
        return (path, [])
    }

    /// The parts of the configuration behind a path.
    func parts(at path: [TakenStep]) -> ConfigurationParts {
        let run = makeRun()
        for step in path { _ = take(step, run) }
        return parts(of: run)
    }

    private func parts(of run: ExplorationRun) -> ConfigurationParts {
        findings.numbers.flatMap { WorldConfiguration(of: run, $0, isNamed: true).parts } ?? .init()
    }

    private func end(of path: [TakenStep]) -> ConfigurationParts {
        let run = makeRun()
        var violation: Violation?
        for step in path { violation = take(step, run) }
        var parts = parts(of: run)
        if let violation { parts.add("the violated property", "\"\(violation.property)\"") }
        if run.isNondeterministic { parts.add("the last step", "impossible") }
        parts.add("the number of possible steps", "\(run.moves.count)")
        return parts
    }
}
