/// Finds out which steps lead from which moment of a system to which, up to a distance from the start.
///
/// A system that has been brought to a moment goes on from there as long as it comes to moments from which some step is
/// not known; then another one is built, and brought to the nearest of those.
struct Search {
    /// Builds a system in a world of its own.
    let makeRun: () -> ExplorationRun
    /// nil where moments cannot be compared: then none is ever met again.
    let table: StateTable?
    let stepLimit: Int
    let onProgress: (ExplorationProgress) -> Void

    private(set) var moments: StateGraph
    private(set) var map = StateMap(start: nil)
    private(set) var statistics = Statistics()
    /// A path that has led to a violation, if not the shortest.
    private(set) var failingPath: [Move]?
    /// Whether a path could not be gone again: what happens does not follow from the steps alone.
    private(set) var isNondeterministic = false
    private var run: ExplorationRun?
    /// The numbers of the events that wait for their turns when they are sent while a transition is running.
    private var queueable: [Int: Int] = [:]
    private var here = 0
    /// The steps of the present system.
    private var path: [Move] = []

    /// - Parameter depth: Moments at this distance are not gone on from.
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
        if let run, run.violation(in: run.account.takeNews()) != nil {
            failingPath = []
            return
        }
        while !isAtLimit, !isNondeterministic {
            infer(from: here)
            if let choice = moments.unknownStep(from: here) {
                explore(choice)
            } else if !walkOn() {
                guard let next = nextWaiting() else { break }
                goTo(next)
            }
        }
        statistics.reachedStepLimit = isAtLimit && moments.nextWaiting() != nil
    }

    /// Whether as many steps were looked at as may be.
    private var isAtLimit: Bool { statistics.steps + statistics.inferred >= stepLimit }

    // MARK: Ways

    private mutating func begin() {
        let run = makeRun()
        statistics.paths += 1
        (self.run, here, path) = (run, 0, [])
        guard moments.all.isEmpty else { return }
        queueable = run.driver.queueable
        _ = table?.number(of: run)
        _ = moments.add(run.moves(in: nil), distance: 0, parent: nil)
        if table != nil { map = StateMap(start: run.account.latest) }
    }

    /// Goes on over known steps, if that is shorter than to begin anew.
    private mutating func walkOn() -> Bool {
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

    /// The nearest moment from which a step has to be taken to know where it leads.
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
        _ = run.account.takeNews()
        path.append(move)
        statistics.steps += 1
    }

    // MARK: Steps

    /// Takes a step that is not known.
    private mutating func explore(_ choice: Int) {
        let move = moments.all[here].moves[choice]
        guard let run else { return }
        let before = run.account.latest
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
        tellProgress()
        let news = run.account.takeNews()
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
            // What breaks the rules is not gone on from.
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

    // MARK: Steps that need not be taken

    /// Notes where steps lead that are known without taking them.
    private mutating func infer(from moment: Int) {
        guard let table else { return }
        var choice = 0
        while let next = moments.unknownStep(from: moment, at: choice) {
            choice = next + 1
            inferQueueing(next, from: moment, table)
            inferBehind(next, from: moment, table)
        }
    }

    /// An event that waits for its turn joins the queue while a transition is running, and nothing else happens.
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
        tellProgress()
    }

    /// Two steps that touch different things lead to one moment in either order: to send an event that joins the queue,
    /// and one that does not look behind the end of the queue.
    private mutating func inferBehind(_ choice: Int, from moment: Int, _ table: StateTable) {
        guard moments.all[moment].targets[choice] == .unknown, let tail = moments.all[moment].tail,
            moments.all[tail.moment].leavesQueueEnd[choice],
            case .moment(let corner) = moments.all[tail.moment].targets[choice]
        else { return }
        // Sends have the same places wherever they are possible.
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
        tellProgress()
    }

    /// Whether everything that had its turn in a step was there before, or is what the step has sent, and nothing else is
    /// to happen at once: whatever is behind the end of the queue was not looked at, and comes next if nothing is running.
    private func leavesQueueEnd(_ choice: Int, to moment: Int, turns: Int, _ run: ExplorationRun) -> Bool {
        guard let table, table[moment].isBusy || !run.hasScheduledAtOnce else { return false }
        let sent = if case .send = moments.all[here].moves[choice] { 1 } else { 0 }
        return turns == table[here].queued + sent - table[moment].queued
    }

    /// The words for a path.
    func words(for moves: [Move]) -> [MoveWords] {
        let run = makeRun()
        return moves.compactMap { move in
            let order = table?.callOrder(of: run)
            defer { run.take(move, in: order) }
            return run.words(of: move, in: order)
        }
    }

    private func tellProgress() {
        if (statistics.transitions + statistics.inferred) % 10_000 == 0 { onProgress(progress) }
    }

    private var progress: ExplorationProgress {
        ExplorationProgress(
            depth: moments.all[here].distance + 1, transitions: statistics.transitions + statistics.inferred,
            configurations: moments.all.count)
    }
}

/// What a search has done so far.
struct Statistics: Sendable {
    var steps = 0
    var transitions = 0
    var inferred = 0
    var paths = 0
    var reachedStepLimit = false
}
