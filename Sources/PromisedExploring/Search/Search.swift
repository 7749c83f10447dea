/// Finds the targets of all steps from the configurations within a distance from the start.
///
/// A system in a configuration with unexecuted steps executes one of them, and continues from the configuration that it
/// reaches. Where no such configuration is near, a new system is built and brought to the nearest one by replaying its
/// path.
struct Search {
    typealias TakenStep = StateGraph.TakenStep

    /// Builds a system in a new world.
    let makeRun: () -> ExplorationRun
    /// Whether the shown states are collected.
    let drawsMap: Bool
    let bounds: SearchBounds
    let findings: Findings
    let onProgress: (ExplorationProgress) -> Void
    /// The steps of an earlier search that this one continues.
    let stepsBefore: Int
    private let deadline: ContinuousClock.Instant?
    /// The number of counted steps at which the time is read next, and whether it was over.
    private var (nextReading, wasTimeOver) = (0, false)

    var graph: StateGraph
    private(set) var map = StateMap(start: nil)
    var statistics: SearchStatistics
    /// The notes for the properties of fair paths; nil if there is none.
    private(set) var demands: FairnessDemands?
    /// A path that led to a violation, not necessarily the shortest.
    private(set) var failingPath: [TakenStep]?
    /// Whether replaying a path led elsewhere: what happens does not follow from the steps alone.
    private(set) var isNondeterministic = false
    /// A path whose last step leads elsewhere than it did on another path to the same configuration.
    var deviation: [TakenStep]?
    private(set) var run: ExplorationRun?
    /// The known configurations, where configurations are compared.
    var known: FingerprintTable
    /// By configuration at rest, what brings a system there.
    private(set) var rests: RestTable
    /// nil where configurations are not compared, or values have numbers that another search gave them.
    private var log: NumberingLog?
    /// By configuration, whether an event that is sent there, or after others that are processed at once, is known not
    /// to be processed alone.
    var restless: [Bool] = []
    private(set) var here = 0
    /// The steps that the current system has executed since `start`.
    private(set) var path: [TakenStep] = []
    private(set) var start = 0

    /// - Parameter memory: What an earlier search has found, which this one continues.
    init(
        makeRun: @escaping () -> ExplorationRun, drawsMap: Bool, _ bounds: SearchBounds,
        _ findings: Findings,
        continuing memory: SearchMemory?, onProgress: @escaping (ExplorationProgress) -> Void
    ) {
        (self.makeRun, self.drawsMap) = (makeRun, drawsMap)
        (self.bounds, self.findings, self.onProgress) = (bounds, findings, onProgress)
        deadline = bounds.options.timeLimit.map { ContinuousClock.now + $0 }
        graph = memory?.graph ?? StateGraph(limit: bounds.depth)
        (known, rests) = (memory?.known ?? FingerprintTable(), memory?.rests ?? RestTable())
        (demands, statistics) = (memory?.demands, memory?.statistics ?? SearchStatistics())
        stepsBefore = statistics.counted
        log = memory == nil ? NumberingLog() : memory?.log
        if findings.numbers == nil || log?.count != findings.values.count { log = nil }
        graph.raise(limit: bounds.depth)
    }

    /// The memory from which a later search continues this one.
    var memory: SearchMemory {
        SearchMemory(
            graph: graph, known: known, rests: rests, demands: demands, statistics: statistics, log: log)
    }

    mutating func search() {
        begin()
        if let run, run.violation(run.record.takeViolation()) != nil {
            failingPath = []
            return
        }
        while !isAtLimit, !isNondeterministic, !hasToRestart {
            infer(from: here)
            if let choice = nextStep(from: here), !isDeferred(here) {
                explore(choice)
            } else if !advanceOverKnownSteps() {
                guard let next = nextWaiting() ?? (!isAtLimit && reopens() ? nextWaiting() : nil) else {
                    break
                }
                goTo(next)
            }
        }
        let limit = limit
        statistics.limit = limit != nil && (graph.nextWaiting() != nil || reopens()) ? limit : nil
    }

    /// Whether the system depends on something that was not taken into account so far.
    var hasToRestart: Bool {
        guard findings.numbers != nil else { return false }
        return !findings.dependencies.isSubset(of: bounds.dependencies)
    }

    /// The limit that was reached; the step limit counts executed and inferred steps.
    private var limit: SearchStatistics.Limit? {
        mutating get {
            if statistics.counted - stepsBefore >= bounds.options.stepLimit { return .stepLimit }
            if let most = bounds.options.memoryLimit, bytes >= most { return .memoryLimit }
            // Reading the clock takes as long as a small step.
            if statistics.counted >= nextReading {
                nextReading = statistics.counted + 16
                wasTimeOver = isTimeOver
            }
            return wasTimeOver ? .timeLimit : nil
        }
    }
    var isTimeOver: Bool { deadline.map { $0 <= .now } ?? false }
    private var isAtLimit: Bool { mutating get { limit != nil } }

    /// The size of the tables, by the strides of their entries.
    private var bytes: Int {
        graph.bytes + known.bytes + rests.bytes + (demands?.bytes ?? 0) + (log?.bytes ?? 0)
            + findings.values.bytes
    }

    // MARK: Paths

    /// The steps of the current system from the start on.
    var takenPath: [TakenStep] { graph.path(to: start).steps + path }

    mutating func begin() {
        let run = makeRun()
        statistics.paths += 1
        (self.run, here, path, start) = (run, 0, [], 0)
        if graph.count == 0 {
            _ = visit(run, from: nil)
            demands = FairnessDemands(run)
        }
        noteNumbers(.start, run)
        land(on: 0, run)
        if drawsMap, map.start == nil { map = StateMap(start: run.record.latest) }
    }

    /// Walks over known steps to the nearest unexecuted one, if that is cheaper than another system.
    private mutating func advanceOverKnownSteps() -> Bool {
        guard path.count < 1_000, let run, !rests.contains(here),
            let way = graph.way(
                from: here, within: 24,
                to: { graph.unknownStep(from: $0) != nil && !isDeferred($0) })
        else { return false }
        for choice in way {
            guard case .node(let next) = graph.target(of: choice, from: here) else { return false }
            take(choice, to: next, run)
        }
        checkIsHere(run)
        return true
    }

    /// The nearest configuration with a step whose target has to be found by executing it.
    private mutating func nextWaiting() -> Int? {
        while !isAtLimit, let node = graph.nextWaiting() {
            infer(from: node)
            if graph.unknownStep(from: node) != nil { return node }
        }
        return nil
    }

    /// Brings a system to a configuration: from the last configuration at rest on its path, or else from the start.
    private mutating func goTo(_ node: Int) {
        let (rest, steps) = graph.path(to: node) { $0 == 0 || canRestore && rests.contains($0) }
        if run == nil || !canRestore || !rests.contains(here) || !rests.contains(rest) { begin() }
        guard let run else { return }
        if rest != here, let values = rests[rest] {
            run.restore(values)
            land(on: rest, run)
            (start, path) = (rest, [])
        }
        // Where no step was repeated, there is nothing to check.
        defer { if !steps.isEmpty { checkIsHere(run) } }
        for step in steps {
            guard case .node(let next) = graph.target(of: step) else { return isNondeterministic = true }
            take(step.choice, to: next, run)
        }
    }

    /// Whether systems are brought to configurations at rest without a path. The first ones get there by their path,
    /// which shows whether it leads there each time.
    private var canRestore: Bool { statistics.paths > 32 }

    /// Checks that a known path led to the configuration to which it led before.
    private mutating func checkIsHere(_ run: ExplorationRun) {
        guard let configuration = run.configuration, !isNondeterministic, !hasToRestart else { return }
        if known.number(of: configuration.fingerprint) != here {
            isNondeterministic = !findings.isAnyIncomparable
        }
    }

    mutating func take(_ choice: Int, to node: Int, _ run: ExplorationRun) {
        let move = graph.moves(of: here)[choice]
        run.take(move)
        noteNumbers(.repeated(node: here, choice: choice), run)
        if run.isNondeterministic { isNondeterministic = true }
        _ = run.record.takeViolation()
        path.append(.init(node: here, choice: choice))
        statistics.steps += 1
        land(on: node, run)
    }

    /// Notes that values got numbers. Those of the configuration get theirs at the same time.
    private mutating func noteNumbers(_ place: NumberingLog.Assignment.Occasion, _ run: ExplorationRun) {
        guard let count = log?.count, count != findings.values.count else { return }
        _ = run.configuration
        let entry = NumberingLog.Assignment(place, count: findings.values.count)
        log?.add(entry)
    }

    mutating func land(on node: Int, _ run: ExplorationRun) {
        here = node
        run.name = node
    }

    // MARK: Steps

    /// Executes a step whose target is unknown.
    private mutating func explore(_ choice: Int) {
        let move = graph.moves(of: here)[choice]
        guard let run else { return }
        let cause = drawsMap ? (TransitionCause(of: move, run.call(of: move)), run.record.latest) : nil
        let calls = demands == nil ? [] : run.pendingCalls
        run.take(move)
        guard !run.isNondeterministic else {
            path.append(.init(node: here, choice: choice))
            isNondeterministic = true
            return
        }
        path.append(.init(node: here, choice: choice))
        statistics.steps += 1
        statistics.transitions += 1
        reportProgress()
        if let (cause, before) = cause {
            map.add(cause, from: before, through: run.record.shown, by: .init(node: here, choice: choice))
        }
        let isViolated = run.violation(run.record.takeViolation()) != nil
        arrive(by: choice, run, isViolated, calls)
    }

    private mutating func arrive(
        by choice: Int, _ run: ExplorationRun, _ isViolated: Bool, _ calls: [Int]
    ) {
        if isViolated {
            failingPath = takenPath
            let isQuiet = run.isQuiet && run.configuration?.isBusy ?? false
            noteViolation(by: choice, from: here, isQuiet: isQuiet)
            // Configurations that violate a property are not expanded.
            if let next = nextWaiting() { goTo(next) }
            return
        }
        let found = visit(run, from: (here, choice))
        noteNumbers(.explored(node: here, choice: choice), run)
        // Where an event is not sent any more, it must have been enqueued before.
        let isQuiet = run.isQuiet && graph.keepsSends(from: here, to: found)
        graph.note(.node(found), of: choice, from: here, isQuiet: isQuiet)
        demands?.note(.init(node: here, choice: choice), to: found, before: calls, run)
        land(on: found, run)
    }

    mutating func noteViolation(by choice: Int, from node: Int, isQuiet: Bool) {
        graph.note(.violation, of: choice, from: node, isQuiet: isQuiet)
        graph.lower(limit: graph.distance(of: node) + 1)
    }

    /// The present configuration.
    private mutating func visit(_ run: ExplorationRun, from parent: (node: Int, choice: Int)?) -> Int {
        let number = graph.count
        guard let configuration = run.configuration else {
            graph.add(run.moves, from: parent, queued: nil)
            return number
        }
        if let number = known.number(of: configuration.fingerprint) { return number }
        known.add(configuration.fingerprint)
        let queued = configuration.queued.flatMap { queued in
            known.number(of: queued.before).map { StateGraph.Queued(base: $0, event: queued.event) }
        }
        graph.add(run.moves, from: parent, queued: queued, isBusy: configuration.isBusy)
        if let rest = configuration.rest, run.isRestorable {
            rests.add(rest.state, rest.variables, of: number)
        }
        return number
    }

    func reportProgress() {
        if (statistics.transitions + statistics.inferred) % 10_000 == 0 { onProgress(progress) }
    }

    private var progress: ExplorationProgress {
        ExplorationProgress(
            depth: graph.distance(of: here) + 1, transitions: statistics.transitions + statistics.inferred,
            configurations: graph.count)
    }
}
