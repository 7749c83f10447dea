/// Finds the targets of all steps from the configurations within a distance from the start.
///
/// A system in a configuration with unexecuted steps executes one of them, and continues from the configuration that it
/// reaches. Where no such configuration is near, a new system is built and brought to the nearest one by replaying its
/// path.
struct Search {
    /// Builds a system in a new world.
    let makeRun: () -> ExplorationRun
    /// nil where configurations cannot be compared: then each one counts as new.
    let table: StateTable?
    let stepLimit: Int
    let onProgress: (ExplorationProgress) -> Void

    private(set) var moments: StateGraph
    private(set) var map = StateMap(start: nil)
    private(set) var statistics = Statistics()
    /// A path that led to a violation, not necessarily the shortest.
    private(set) var failingPath: [Move]?
    /// Whether replaying a path led elsewhere: what happens does not follow from the steps alone.
    private(set) var isNondeterministic = false
    private var run: ExplorationRun?
    /// By index, the numbers of the events that are enqueued while a transition is running.
    private var queueable: [Int: Int] = [:]
    private var here = 0
    /// The steps that the current system has executed.
    private var path: [Move] = []

    /// - Parameter depth: Configurations at this distance are not expanded.
    init(
        makeRun: @escaping () -> ExplorationRun, table: StateTable?, depth: Int, stepLimit: Int,
        onProgress: @escaping (ExplorationProgress) -> Void
    ) {
        (self.makeRun, self.table) = (makeRun, table)
        (self.stepLimit, self.onProgress) = (stepLimit, onProgress)
        moments = StateGraph(limit: depth)
    }

    mutating func search() {
        begin()
        if let run, run.violation(in: run.history.takeRecording()) != nil {
            failingPath = []
            return
        }
        while !isAtLimit, !isNondeterministic {
            infer(from: here)
            if let choice = moments.unknownStep(from: here) {
                explore(choice)
            } else if !advanceOverKnownSteps() {
                guard let next = nextWaiting() else { break }
                goTo(next)
            }
        }
        statistics.reachedStepLimit = isAtLimit && moments.nextWaiting() != nil
    }

    /// Whether the step limit was reached, counting executed and inferred steps.
    private var isAtLimit: Bool { statistics.steps + statistics.inferred >= stepLimit }

    // MARK: Paths

    private mutating func begin() {
        let run = makeRun()
        statistics.paths += 1
        (self.run, here, path) = (run, 0, [])
        guard moments.all.isEmpty else { return }
        queueable = run.driver.queueable
        _ = table?.number(of: run)
        _ = moments.add(run.moves(in: nil), distance: 0, parent: nil)
        if table != nil { map = StateMap(start: run.history.latest) }
    }

    /// Walks over known steps to the nearest unexecuted one, if that is cheaper than starting a new system.
    private mutating func advanceOverKnownSteps() -> Bool {
        guard path.count < 1_000, let run, let way = moments.wayToUnknown(from: here, within: 24) else {
            return false
        }
        for choice in way {
            guard case .moment(let next) = moments.all[here].targets[choice] else { return false }
            take(moments.all[here].moves[choice], run)
            here = next
        }
        return true
    }

    /// The nearest configuration with a step whose target has to be found by executing it.
    private mutating func nextWaiting() -> Int? {
        while !isAtLimit, let moment = moments.nextWaiting() {
            infer(from: moment)
            if moments.unknownStep(from: moment) != nil { return moment }
        }
        return nil
    }

    private mutating func goTo(_ moment: Int) {
        begin()
        guard let run else { return }
        for move in moments.path(to: moment) { take(move, run) }
        here = moment
    }

    private mutating func take(_ move: Move, _ run: ExplorationRun) {
        run.take(move, in: table?.callOrder(of: run))
        if run.isNondeterministic { isNondeterministic = true }
        _ = run.history.takeRecording()
        path.append(move)
        statistics.steps += 1
    }

    // MARK: Steps

    /// Executes a step whose target is unknown.
    private mutating func explore(_ choice: Int) {
        let move = moments.all[here].moves[choice]
        guard let run else { return }
        let before = run.history.latest
        let order = table?.callOrder(of: run)
        let call = run.call(of: move, in: order)
        run.take(move, in: order)
        guard !run.isNondeterministic else {
            isNondeterministic = true
            return
        }
        path.append(move)
        statistics.steps += 1
        statistics.transitions += 1
        reportProgress()
        let news = run.history.takeRecording()
        if table != nil, !news.shown.isEmpty {
            map.add(move, call, from: before, through: news.shown)
        }
        arrive(by: choice, run, run.violation(in: news), turns: news.turns)
    }

    private mutating func arrive(
        by choice: Int, _ run: ExplorationRun, _ violation: Violation?, turns: Int
    ) {
        if violation != nil {
            failingPath = path
            moments.note(.violation, of: choice, from: here, leavesQueueEnd: false)
            moments.lower(limit: moments.all[here].distance + 1)
            // Configurations that violate a property are not expanded.
            if let next = nextWaiting() { goTo(next) }
            return
        }
        let distance = moments.all[here].distance + 1
        let found = table?.number(of: run) ?? (moments.all.count, true)
        if found.isNew {
            _ = moments.add(
                run.moves(in: table?.callOrder(of: run)), distance: distance, parent: (here, choice))
        }
        moments.note(
            .moment(found.number), of: choice, from: here,
            leavesQueueEnd: leavesQueueEnd(choice, to: found.number, turns: turns, run))
        here = found.number
    }

    // MARK: Inferred steps

    /// Records the targets of steps that can be inferred without executing them.
    private mutating func infer(from moment: Int) {
        guard let table else { return }
        var choice = 0
        while let next = moments.unknownStep(from: moment, at: choice) {
            choice = next + 1
            inferQueueing(next, from: moment, table)
            inferBehind(next, from: moment, table)
        }
    }

    /// Sending an event that is enqueued while a transition is running only appends it to the queue.
    private mutating func inferQueueing(_ choice: Int, from moment: Int, _ table: StateTable) {
        guard case .send(let event) = moments.all[moment].moves[choice], table[moment].isBusy,
            let number = queueable[event]
        else { return }
        let found = table.number(queueing: number, at: moment)
        if found.isNew {
            _ = moments.add(
                moments.all[moment].moves, distance: moments.all[moment].distance + 1,
                parent: (moment, choice))
        }
        moments.note(tail: (moment, choice), of: found.number)
        moments.note(.moment(found.number), of: choice, from: moment, leavesQueueEnd: true)
        statistics.inferred += 1
        reportProgress()
    }

    /// Two independent steps lead to the same configuration in either order: sending an event that is enqueued, and a
    /// step that does not depend on what is behind the end of the queue.
    private mutating func inferBehind(_ choice: Int, from moment: Int, _ table: StateTable) {
        guard moments.all[moment].targets[choice] == .unknown, let tail = moments.all[moment].tail,
            moments.all[tail.moment].leavesQueueEnd[choice],
            case .moment(let corner) = moments.all[tail.moment].targets[choice]
        else { return }
        // Sending an event has the same index in every configuration.
        if moments.all[corner].targets[tail.choice] == .unknown {
            inferQueueing(tail.choice, from: corner, table)
        }
        switch moments.all[corner].targets[tail.choice] {
        case .moment(let target):
            let leaves = moments.all[corner].leavesQueueEnd[tail.choice]
            moments.note(.moment(target), of: choice, from: moment, leavesQueueEnd: leaves)
        case .unknown where moments.all[corner].distance < moments.limit:
            moments.note(
                .init(moment: moment, choice: choice), leadsWhere: .init(moment: corner, choice: tail.choice),
                leavesQueueEnd: false)
        case .unknown, .awaited, .violation: return
        }
        statistics.inferred += 1
        reportProgress()
    }

    /// Whether a step did not depend on what is behind the end of the queue: the events that it processed were enqueued
    /// before or sent by the step itself. Nothing may be due at once afterwards, unless a transition is running:
    /// otherwise the next event of the queue would be processed too.
    private func leavesQueueEnd(_ choice: Int, to moment: Int, turns: Int, _ run: ExplorationRun) -> Bool {
        guard let table, table[moment].isBusy || !run.hasScheduledAtOnce else { return false }
        let sent = if case .send = moments.all[here].moves[choice] { 1 } else { 0 }
        return turns == table[here].queued + sent - table[moment].queued
    }

    /// A path as it is written in a script.
    func words(for moves: [Move]) -> [MoveWords] {
        let run = makeRun()
        return moves.compactMap { move in
            let order = table?.callOrder(of: run)
            defer { run.take(move, in: order) }
            return run.words(of: move, in: order)
        }
    }

    private func reportProgress() {
        if (statistics.transitions + statistics.inferred) % 10_000 == 0 { onProgress(progress) }
    }

    private var progress: ExplorationProgress {
        ExplorationProgress(
            depth: moments.all[here].distance + 1, transitions: statistics.transitions + statistics.inferred,
            configurations: moments.all.count)
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
