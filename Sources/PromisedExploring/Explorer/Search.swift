/// Finds the targets of all steps from the configurations within a distance from the start.
///
/// A system in a configuration with unexecuted steps executes one of them, and continues from the configuration that it
/// reaches. Where no such configuration is near, a new system is built and brought to the nearest one by replaying its
/// path.
struct Search {
    /// Builds a system in a new world.
    let makeRun: () -> ExplorationRun
    /// Whether the shown states are collected.
    let drawsMap: Bool
    let stepLimit: Int
    let onProgress: (ExplorationProgress) -> Void

    private(set) var graph: StateGraph
    private(set) var map = StateMap(start: nil)
    private(set) var statistics = Statistics()
    /// A path that led to a violation, not necessarily the shortest.
    private(set) var failingPath: [Move]?
    /// Whether replaying a path led elsewhere: what happens does not follow from the steps alone.
    private(set) var isNondeterministic = false
    private var run: ExplorationRun?
    /// The known configurations by their encoding, where configurations are compared.
    private var known: [[Int]: Int] = [:]
    /// By configuration, its encoding while a transition is running: then enqueuing an event appends to it.
    private var busy: [Int: [Int]] = [:]
    private var here = 0
    /// The steps that the current system has executed.
    private var path: [Move] = []

    /// - Parameter depth: Configurations at this distance are not expanded.
    init(
        makeRun: @escaping () -> ExplorationRun, drawsMap: Bool, depth: Int, stepLimit: Int,
        onProgress: @escaping (ExplorationProgress) -> Void
    ) {
        (self.makeRun, self.drawsMap) = (makeRun, drawsMap)
        (self.stepLimit, self.onProgress) = (stepLimit, onProgress)
        graph = StateGraph(limit: depth)
    }

    mutating func search() {
        begin()
        if let run, run.violation(in: run.record.takeNews()) != nil {
            failingPath = []
            return
        }
        while !isAtLimit, !isNondeterministic {
            inferQueueing(from: here)
            if let choice = graph.unknownStep(from: here) {
                explore(choice)
            } else if !advanceOverKnownSteps() {
                guard let next = nextWaiting() else { break }
                goTo(next)
            }
        }
        statistics.reachedStepLimit = isAtLimit && graph.nextWaiting() != nil
    }

    /// Whether the step limit was reached, counting executed and inferred steps.
    private var isAtLimit: Bool { statistics.steps + statistics.inferred >= stepLimit }

    // MARK: Paths

    private mutating func begin() {
        let run = makeRun()
        statistics.paths += 1
        (self.run, here, path) = (run, 0, [])
        guard graph.all.isEmpty else { return }
        _ = visit(run.configuration)
        graph.add(run.moves, distance: 0, parent: nil)
        if drawsMap { map = StateMap(start: run.record.latest) }
    }

    /// Walks over known steps to the nearest unexecuted one, if that is cheaper than starting a new system.
    private mutating func advanceOverKnownSteps() -> Bool {
        guard path.count < 1_000, let run, let way = graph.wayToUnknown(from: here, within: 24) else {
            return false
        }
        for choice in way {
            guard case .node(let next) = graph.all[here].targets[choice] else { return false }
            take(graph.all[here].moves[choice], run)
            here = next
        }
        return true
    }

    /// The nearest configuration with a step whose target has to be found by executing it.
    private mutating func nextWaiting() -> Int? {
        while !isAtLimit, let node = graph.nextWaiting() {
            inferQueueing(from: node)
            if graph.unknownStep(from: node) != nil { return node }
        }
        return nil
    }

    private mutating func goTo(_ node: Int) {
        begin()
        guard let run else { return }
        for move in graph.path(to: node) { take(move, run) }
        here = node
    }

    private mutating func take(_ move: Move, _ run: ExplorationRun) {
        run.take(move)
        if run.isNondeterministic { isNondeterministic = true }
        _ = run.record.takeNews()
        path.append(move)
        statistics.steps += 1
    }

    // MARK: Steps

    /// Executes a step whose target is unknown.
    private mutating func explore(_ choice: Int) {
        let move = graph.all[here].moves[choice]
        guard let run else { return }
        let before = run.record.latest
        let cause = Cause(of: move, run.call(of: move))
        run.take(move)
        guard !run.isNondeterministic else {
            isNondeterministic = true
            return
        }
        path.append(move)
        statistics.steps += 1
        statistics.transitions += 1
        reportProgress()
        let news = run.record.takeNews()
        if drawsMap { map.add(cause, from: before, through: news.shown) }
        arrive(by: choice, run, run.violation(in: news))
    }

    private mutating func arrive(by choice: Int, _ run: ExplorationRun, _ violation: Violation?) {
        if violation != nil {
            failingPath = path
            graph.note(.violation, of: choice, from: here)
            graph.lower(limit: graph.all[here].distance + 1)
            // Configurations that violate a property are not expanded.
            if let next = nextWaiting() { goTo(next) }
            return
        }
        let found = visit(run.configuration)
        if found.isNew {
            graph.add(run.moves, distance: graph.all[here].distance + 1, parent: (here, choice))
        }
        graph.note(.node(found.number), of: choice, from: here)
        here = found.number
    }

    /// The number of a configuration, and whether it is new.
    private mutating func visit(_ configuration: Configuration?) -> (number: Int, isNew: Bool) {
        guard let configuration else { return (graph.all.count, true) }
        return visit(configuration.words, isBusy: configuration.isBusy)
    }

    private mutating func visit(_ words: [Int], isBusy: Bool) -> (number: Int, isNew: Bool) {
        if let number = known[words] { return (number, false) }
        let number = graph.all.count
        known[words] = number
        if isBusy { busy[number] = words }
        return (number, true)
    }

    /// Records the targets of steps that need not be executed: sending an event that is enqueued while a transition is
    /// running only appends it to the queue.
    private mutating func inferQueueing(from node: Int) {
        guard let words = busy[node], let queueable = run?.driver.queueable,
            graph.all[node].distance < graph.limit
        else { return }
        for (choice, event) in queueable.enumerated() {
            guard let event, graph.all[node].targets[choice] == .unknown else { continue }
            let found = visit(words + Configuration.queued(event), isBusy: true)
            if found.isNew {
                graph.add(
                    graph.all[node].moves, distance: graph.all[node].distance + 1, parent: (node, choice))
            }
            graph.note(.node(found.number), of: choice, from: node)
            statistics.inferred += 1
            reportProgress()
        }
    }

    /// A path as it is written in a script.
    func words(for moves: [Move]) -> [MoveWords] {
        let run = makeRun()
        return moves.compactMap { move in
            defer { run.take(move) }
            return run.words(of: move)
        }
    }

    /// Why the exploration is not complete.
    func gaps(_ knowledge: Knowledge, hasCounterexample: Bool) -> [Gap] {
        if hasCounterexample { return [.violation] }
        let isCut = graph.all.contains { $0.targets.contains(.unknown) }
        return (statistics.reachedStepLimit ? [.stepLimit] : isCut ? [.depth(graph.limit)] : [])
            + knowledge.gaps(isCut: isCut)
    }

    private func reportProgress() {
        if (statistics.transitions + statistics.inferred) % 10_000 == 0 { onProgress(progress) }
    }

    private var progress: ExplorationProgress {
        ExplorationProgress(
            depth: graph.all[here].distance + 1, transitions: statistics.transitions + statistics.inferred,
            configurations: graph.all.count)
    }
}

/// Counts of a search so far.
struct Statistics: Sendable {
    var steps = 0
    var transitions = 0
    var inferred = 0
    var paths = 0
    var reachedStepLimit = false
}
