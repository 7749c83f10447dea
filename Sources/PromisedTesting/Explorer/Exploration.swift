/// What an exploration has found.
public struct Exploration<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    let statistics: Statistics
    let map: StateMap
    let events: [Event]
    let allStates: [State]

    /// The shortest way to break what was expected, if there is one within the depth; of several, the first in the order
    /// of the events, the calls by name, their outcomes as they were listed, and time last.
    public let counterexample: Counterexample<State, Event>?

    /// The moments that were told apart, by everything that decides what comes next.
    public let configurations: Int

    /// The steps that were tried, each from each moment once.
    public var transitions: Int { statistics.transitions }

    /// The steps whose ends were known without trying, as they commute with others.
    public var inferredTransitions: Int { statistics.inferred }

    /// The systems that were built, each for a path of its own.
    public var paths: Int { statistics.paths }

    /// The steps that were made, with those that led again to where some had not been tried.
    public var steps: Int { statistics.steps }

    /// What was found at each distance from the start, that included.
    public let levels: [ExplorationLevel]

    /// Whether there is nothing beyond: every moment that can be reached at all was reached.
    public let isComplete: Bool

    /// Whether the limit of steps was reached first.
    public var reachedStepLimit: Bool { statistics.reachedStepLimit }

    /// The states that were shown, settled or loading, in the order in which they were found; empty where states cannot
    /// be compared.
    public var states: [State] {
        var found = Set(map.edges.map(\.to.state))
        if let start = map.start { found.insert(start.state) }
        return found.sorted().map { allStates[$0] }
    }
}

extension Exploration {
    /// A line for a terminal, and the counterexample if there is one.
    public var description: String {
        let found = isComplete ? "all there are" : "\(max(levels.count - 1, 0)) steps far"
        let line =
            "\(configurations) configurations, \(found); \(transitions) transitions, and "
            + "\(inferredTransitions) known without; \(paths) paths"
        return counterexample.map { "\(line)\n\n\($0)" } ?? line
    }
}

/// What was found at one distance from the start.
public struct ExplorationLevel: Sendable, Hashable {
    /// The moments that are so many steps away, and no fewer.
    public internal(set) var configurations = 0
    /// The steps from them that were tried, or known without.
    public internal(set) var transitions = 0
}

/// How far an exploration has come.
public struct ExplorationProgress: Sendable, Hashable, CustomStringConvertible {
    /// The steps of the path that was gone last.
    public let depth: Int
    /// How many steps were tried, or known without.
    public let transitions: Int
    /// How many moments were told apart.
    public let configurations: Int

    /// A line for a terminal.
    public var description: String {
        "depth \(depth), \(transitions) transitions, \(configurations) configurations"
    }
}

extension Exploration {
    init(_ search: Search, events: [Event], allStates: [State], counterexample: Counterexample<State, Event>?)
    {
        var levels: [ExplorationLevel] = []
        for moment in search.moments.all {
            while levels.count <= moment.distance { levels.append(ExplorationLevel()) }
            levels[moment.distance].configurations += 1
            levels[moment.distance].transitions += moment.targets.count { $0 != .unknown }
        }
        self.levels = levels
        configurations = search.moments.all.count
        isComplete = counterexample == nil && search.moments.all.allSatisfy { !$0.targets.contains(.unknown) }
        (statistics, map) = (search.statistics, search.map)
        (self.events, self.allStates, self.counterexample) = (events, allStates, counterexample)
    }
}
