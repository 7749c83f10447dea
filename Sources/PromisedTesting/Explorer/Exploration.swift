internal import PromisedSystem

/// What an exploration has found.
public struct Exploration<State: Sendable, Event: Sendable>: Sendable {
    /// What was done for the steps of one depth.
    public struct Level: Sendable, Hashable {
        /// The steps that were tried there, each on a system of its own.
        public internal(set) var paths = 0
        /// The moments that were reached for the first time.
        public internal(set) var configurations = 0
    }

    struct Tally: Sendable {
        var levels: [Level] = []
        var steps = 0
        var paths = 0
        var configurations = 0
        var isComplete = false
        var isCut = false

        mutating func begin() { configurations = 1 }
        mutating func beginLevel() { levels.append(Level()) }

        mutating func add(steps: Int) {
            self.steps += steps
            paths += 1
            levels[levels.count - 1].paths += 1
        }

        mutating func addConfiguration() {
            configurations += 1
            levels[levels.count - 1].configurations += 1
        }

        func progress(depth: Int, waiting: Int) -> ExplorationProgress {
            ExplorationProgress(depth: depth, paths: paths, configurations: configurations, waiting: waiting)
        }
    }

    let tally: Tally
    let start: StateMap<State>.Place?
    let edges: [StateMap<State>.Edge]
    let events: [Event]
    let allStates: [State]

    /// The shortest way to break what was expected, if there is one within the depth; of several, the first in the order
    /// of the events, the calls by name, their outcomes as they were listed, and time last.
    public let counterexample: Counterexample<State, Event>?

    /// The paths that were gone: one for each step that was tried from each moment, on a system of its own.
    public var paths: Int { tally.paths }

    /// The moments that were told apart, by everything that decides what comes next.
    public var configurations: Int { tally.configurations }

    /// The steps that were made, with those that led again to a moment that was known.
    public var steps: Int { tally.steps }

    /// What was done at each depth.
    public var levels: [Level] { tally.levels }

    /// Whether there is nothing beyond: every moment that can be reached at all was reached.
    public var isComplete: Bool { tally.isComplete }

    /// Whether the limit of paths was reached first.
    public var isCut: Bool { tally.isCut }

    /// The states that were shown, settled or loading, in the order in which they were found; empty where states cannot
    /// be compared.
    public var states: [State] {
        var found = Set(edges.map(\.to.state))
        if let start = start { found.insert(start.state) }
        return found.sorted().map { allStates[$0] }
    }
}

/// How far an exploration has come.
public struct ExplorationProgress: Sendable, Hashable, CustomStringConvertible {
    /// The steps of the paths that are tried now.
    public let depth: Int
    /// How many paths were gone.
    public let paths: Int
    /// How many moments were told apart.
    public let configurations: Int
    /// How many moments are known, and wait to be gone on from.
    public let waiting: Int

    /// A line for a terminal.
    public var description: String {
        "depth \(depth), \(paths) paths, \(configurations) configurations, \(waiting) waiting"
    }
}
