internal import PromisedSystem

/// Goes through the moments of a system, the nearest first: each is reached on a shortest path, and of those on the first
/// in the order of the steps.
struct Search<State: Sendable, Event: Sendable> {
    typealias Run = ExplorationRun<State, Event>

    /// A moment and how it is reached.
    struct Node {
        let parent: Int
        let move: Move
    }

    let events: [Event]
    let build: Explorer<State, Event>.Build
    /// nil where moments cannot be compared: then all paths are gone.
    let table: Recognizer<State, Event>?
    let depth: Int
    let pathLimit: Int
    let onProgress: (ExplorationProgress) -> Void

    private(set) var nodes: [Node] = []
    private(set) var tally = Exploration<State, Event>.Tally()
    private(set) var map: StateMap<State>
    private(set) var failure: (moves: [Move], violation: Violation<State, Event>)?

    init(
        events: [Event], build: @escaping Explorer<State, Event>.Build,
        table: Recognizer<State, Event>?, depth: Int, pathLimit: Int,
        onProgress: @escaping (ExplorationProgress) -> Void
    ) {
        (self.events, self.build, self.table) = (events, build, table)
        (self.depth, self.pathLimit, self.onProgress) = (depth, pathLimit, onProgress)
        map = StateMap(table)
    }

    mutating func run() {
        let start = Run(events: events, build)
        nodes.append(Node(parent: -1, move: .tick))
        _ = table?.number(start)
        tally.begin()
        map.begin(start.latest)
        if let violation = Violation(of: start, by: start.takeNews().shown) {
            failure = ([], violation)
            return
        }
        var level = [(node: 0, moves: start.moves)]
        for depth in 0..<depth where !level.isEmpty {
            tally.beginLevel()
            level = nextLevel(after: level, depth)
            guard failure == nil, !tally.isCut else { return }
        }
        tally.isComplete = level.isEmpty
    }

    private mutating func nextLevel(after level: [(node: Int, moves: [Move])], _ depth: Int) -> [(Int, [Move])] {
        var next: [(Int, [Move])] = []
        for (place, (node, moves)) in level.enumerated() {
            let path = path(to: node)
            for move in moves {
                guard tally.paths < pathLimit else {
                    tally.isCut = true
                    return []
                }
                if let found = follow(move, behind: path, node) { next.append(found) }
                if failure != nil { return [] }
                if tally.paths % 10_000 == 0 {
                    onProgress(tally.progress(depth: depth + 1, waiting: level.count - place + next.count))
                }
            }
        }
        return next
    }

    /// Takes a step from a moment that is known.
    ///
    /// - Returns: The moment that it leads to and what may happen there, if it is a new one.
    private mutating func follow(_ move: Move, behind path: [Move], _ node: Int) -> (Int, [Move])? {
        let run = Run(events: events, build)
        for move in path { run.take(move) }
        _ = run.takeNews()
        let before = run.latest
        let cause = run.cause(of: move)
        run.take(move)
        tally.add(steps: path.count + 1)
        let news = run.takeNews()
        map.add(cause, from: before, through: news.shown)
        if let violation = Violation(of: run, by: news.shown) {
            failure = (path + [move], violation)
            return nil
        }
        guard table.map({ $0.number(run).isNew }) ?? true else { return nil }
        nodes.append(Node(parent: node, move: move))
        tally.addConfiguration()
        return (nodes.count - 1, run.moves)
    }

    private func path(to node: Int) -> [Move] {
        var moves: [Move] = []
        var node = node
        while node > 0 {
            moves.append(nodes[node].move)
            node = nodes[node].parent
        }
        return moves.reversed()
    }
}
