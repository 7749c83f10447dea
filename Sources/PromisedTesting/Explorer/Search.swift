/// Finds out which steps lead from which moment of a system to which, up to a distance from the start.
///
/// A system that has been brought to a moment goes on from there as long as it comes to moments from which some step is
/// not known; then another one is built, and brought to the nearest of those.
struct Search {
    /// Builds a system in a world of its own.
    let makeRun: () -> ExplorationRun
    /// nil where moments cannot be compared: then none is ever met again.
    let table: ConfigurationTable?
    let depth: Int
    let stepLimit: Int
    let onProgress: (ExplorationProgress) -> Void

    private(set) var moments: Moments
    private(set) var map = StateMap(start: nil)
    private(set) var tally = Tally()
    /// A path that has led to a violation, if not the shortest.
    private(set) var failingPath: [Move]?
    private var run: ExplorationRun?
    private var here = 0
    /// The steps of the present system.
    private var path: [Move] = []

    init(
        makeRun: @escaping () -> ExplorationRun, table: ConfigurationTable?, depth: Int, stepLimit: Int,
        onProgress: @escaping (ExplorationProgress) -> Void
    ) {
        (self.makeRun, self.table, self.depth) = (makeRun, table, depth)
        (self.stepLimit, self.onProgress) = (stepLimit, onProgress)
        moments = Moments(limit: depth)
    }

    mutating func search() {
        begin()
        if let run, run.violation(in: run.account.takeNews()) != nil {
            failingPath = []
            return
        }
        while tally.steps < stepLimit {
            if let choice = moments.unknownStep(from: here) {
                explore(choice)
            } else if !walkOn() {
                guard let next = moments.nextWaiting() else { return }
                goTo(next)
            }
        }
        tally.isCut = moments.nextWaiting() != nil
    }

    // MARK: Ways

    private mutating func begin() {
        let run = makeRun()
        tally.paths += 1
        (self.run, here, path) = (run, 0, [])
        guard moments.all.isEmpty else { return }
        _ = table?.number(of: run)
        _ = moments.add(run.moves(in: nil), distance: 0, parent: nil)
        if table != nil { map = StateMap(start: run.account.latest) }
    }

    /// Goes on over known steps, if that is shorter than to begin anew.
    private mutating func walkOn() -> Bool {
        guard path.count < 1_000, let run, let way = moments.wayToUnknown(from: here, within: 24) else { return false }
        for choice in way {
            guard case .moment(let next) = moments.all[here].targets[choice] else { return false }
            take(moments.all[here].moves[choice], run)
            here = next
        }
        return true
    }

    private mutating func goTo(_ moment: Int) {
        begin()
        guard let run else { return }
        for move in moments.path(to: moment) { take(move, run) }
        here = moment
    }

    private mutating func take(_ move: Move, _ run: ExplorationRun) {
        run.take(move, in: table?.callOrder(of: run))
        _ = run.account.takeNews()
        path.append(move)
        tally.steps += 1
    }

    // MARK: Steps

    /// Takes a step that is not known, or finds out without taking it.
    private mutating func explore(_ choice: Int) {
        let move = moments.all[here].moves[choice]
        if let target = moments.all[here].targetByCommuting(move, moments) {
            moments.note(.moment(target), of: choice, from: here, .any)
            tally.inferred += 1
            return
        }
        guard let run else { return }
        let before = run.account.latest
        let order = table?.callOrder(of: run)
        let call = run.call(of: move, in: order)
        run.take(move, in: order)
        path.append(move)
        tally.steps += 1
        tally.transitions += 1
        if tally.transitions % 10_000 == 0 { onProgress(progress) }
        let news = run.account.takeNews()
        if table != nil, !news.shown.isEmpty {
            map.add(move, call, from: before, through: news.shown)
        }
        arrive(by: choice, run, run.violation(in: news), news.isQuiet && run.wasQuiet)
    }

    private mutating func arrive(
        by choice: Int, _ run: ExplorationRun, _ violation: Violation?, _ wasQuiet: Bool
    ) {
        if violation != nil {
            failingPath = path
            moments.note(.violation, of: choice, from: here, .any)
            moments.lower(limit: moments.all[here].distance + 1)
            // What breaks the rules is not gone on from.
            if let next = moments.nextWaiting() { goTo(next) }
            return
        }
        let distance = moments.all[here].distance + 1
        let found = table?.number(of: run) ?? (moments.all.count, true)
        let footprint = wasQuiet ? footprint(of: choice, to: found.number) : .any
        if found.isNew { _ = moments.add(run.moves(in: table?.callOrder(of: run)), distance: distance, parent: (here, choice)) }
        moments.note(.moment(found.number), of: choice, from: here, footprint)
        here = found.number
    }

    /// What a step has touched of which nothing was heard.
    private func footprint(of choice: Int, to moment: Int) -> Footprint {
        guard let waiting = table?.waiting else { return .any }
        return switch (moments.all[here].moves[choice], waiting[moment] - waiting[here]) {
        case (.send, 1): .queue
        case (.answer, 0): .work
        default: .any
        }
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

    private var progress: ExplorationProgress {
        ExplorationProgress(
            depth: moments.all[here].distance + 1, transitions: tally.transitions,
            configurations: moments.all.count)
    }
}

/// What a search has done so far.
struct Tally: Sendable {
    var steps = 0
    var transitions = 0
    var inferred = 0
    var paths = 0
    var isCut = false
}

extension Moments.Moment {
    /// The moment that a step leads to, if that follows from what is known: this moment was reached from another by a step
    /// that touches nothing that this one touches, so the two lead to the same in either order.
    fileprivate func targetByCommuting(_ move: Move, _ moments: Moments) -> Int? {
        guard let parent, case let other = moments.all[parent.moment],
            let own = other.moves.firstIndex(of: move), own != parent.choice,
            case .moment(let corner) = other.targets[own],
            other.footprints[own].commutes(with: other.footprints[parent.choice])
        else { return nil }
        let opposite = moments.all[corner]
        guard let last = opposite.moves.firstIndex(of: other.moves[parent.choice]),
            case .moment(let target) = opposite.targets[last]
        else { return nil }
        return target
    }
}

extension Footprint {
    fileprivate func commutes(with other: Footprint) -> Bool {
        switch (self, other) {
        case (.queue, .work), (.work, .queue): true
        case (.any, _), (_, .any), (.queue, .queue), (.work, .work): false
        }
    }
}
