/// The result of an exploration: its coverage, and the counterexample if there is one.
public struct Exploration<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    let bounds: SearchBounds
    let memory: SearchMemory
    let notes: Findings.Notes
    let hasView: Bool
    /// The turn of a recorded session from which it began; nil for the start of the system.
    let place: String?
    /// The source of a diagram. It explores again, once for the diagram, the coverage and the page.
    let drawing: SharedValue<DiagramSource<State, Event>>
    private let counting: SharedValue<[ConfigurationPart]>
    /// Continues the exploration, up to a depth.
    let continuing: Continuing
    typealias Continuing =
        @Sendable (Int, ExplorationOptions, ((ExplorationProgress) -> Void)?) -> Exploration
    let events: [Event]
    /// The events that have changed something.
    let effectiveEvents: [Event]
    let comparesEvents: Bool

    /// The shortest violation of a property within the depth, or nil; of several, the first in the order of the events,
    /// the calls by name, their outcomes as listed, and time last. If a limit was reached, which ``gaps`` names, a
    /// shorter one may exist.
    public var counterexample: Counterexample<State, Event>? { counterexamples.first }

    /// The violations that were found: at most one unless ``Violations/all`` was requested, then the shortest of each
    /// property, beginning with the shortest.
    public private(set) var counterexamples: [Counterexample<State, Event>]

    /// The number of distinct configurations: combinations of everything that determines the next steps. Where
    /// configurations cannot be compared, the end of each path counts.
    public let configurations: Int

    /// The transitions that were executed. Each step is executed once from each configuration.
    public var transitions: Int { statistics.transitions }

    /// The transitions whose targets were inferred without executing them: events enqueued behind a running transition.
    public var inferredTransitions: Int { statistics.inferred }

    /// The systems that were built, one for each path.
    public var paths: Int { statistics.paths }

    /// The steps that were executed, including those repeated to return to a configuration with unexecuted steps.
    public var steps: Int { statistics.steps }

    /// The steps that were executed on other paths to a known configuration, to check that they lead to the same
    /// (``ExplorationOptions/audit``). They are not counted elsewhere.
    public var auditedSteps: Int { statistics.audited }

    /// The counts for each distance from the start; index 0 is the start itself.
    public let levels: [ExplorationLevel]

    /// Whether every reachable configuration was visited, and nothing else can have an influence. False if there is a
    /// counterexample.
    ///
    /// Of the times between two instants at which something is due, one is tried.
    public var isComplete: Bool { gaps.isEmpty }

    /// The reasons why the exploration is not complete.
    public private(set) var gaps: [Gap]

    /// The parts of configurations that have more than one value, those with the most first; empty where
    /// configurations are not compared.
    ///
    /// Where configurations multiply, these parts keep them apart. Compared are up to 200 configurations, to which the
    /// shortest known paths are executed again when this is first read.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// struct Page: Hashable { var isOpen = false, visits = 0 }
    ///
    /// let explorer = Explorer<Page, String>(events: ["open", "close"]) { world in
    ///     System(initialState: Page(), scheduler: world.scheduler, reducer: Reducer { page, event in
    ///         (page.isOpen, page.visits) = (event == "open", page.visits + 1)
    ///     })
    /// }
    /// print(explorer.explore(depth: 9).parts)
    /// // [the state: 19 values in 19 configurations]
    /// ```
    public var parts: [ConfigurationPart] { counting.value }

    /// Whether the exploration stopped early, at its step limit.
    public var reachedStepLimit: Bool { statistics.limit == .stepLimit }

    /// The states that were shown, settled or loading, in the order in which they were found; empty where states cannot
    /// be compared.
    public let states: [State]
}

extension Exploration {
    var statistics: SearchStatistics { memory.statistics }
    var covered: CoverageRecord { notes.covered }
    /// The names of the actions of the world.
    var actions: [String] { covered.actions }

    /// Continues an exploration that was stopped by a limit, or explores to a greater depth. Known
    /// configurations are not expanded again. With a counterexample, the result is the same.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 100 })
    /// }
    /// var exploration = explorer.explore(depth: 100, .init(stepLimit: 50))
    /// while exploration.reachedStepLimit { exploration = exploration.continued(.init(stepLimit: 50)) }
    /// print(exploration.configurations, exploration.isComplete)
    /// // 100 true
    /// ```
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path; that of the exploration if it is greater.
    ///   - options: The limits of the further exploration: `stepLimit` counts further steps, `timeLimit` further time,
    ///     and `memoryLimit` all memory. Merging and violations remain as they were.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where
    ///     that is a terminal.
    public func continued(
        depth: Int = 0, _ options: ExplorationOptions = .init(),
        onProgress: ((ExplorationProgress) -> Void)? = nil
    ) -> Exploration {
        counterexample == nil ? continuing(depth, options, onProgress) : self
    }

    /// A summary in one line, followed by the counterexample if there is one.
    public var description: String { counterexample.map { "\(summary)\n\n\($0)" } ?? summary }

    /// The counts in one line.
    var summary: String {
        let found = isComplete ? "complete" : "to depth \(max(levels.count - 1, 0))"
        return (place.map { "from \($0): " } ?? "")
            + "\(configurations) configurations, \(found); \(transitions) transitions, "
            + "\(inferredTransitions) inferred; \(paths) paths"
    }
}

/// The counts for one distance from the start.
public struct ExplorationLevel: Sendable, Hashable {
    /// The configurations at this distance: their shortest known path has this many steps.
    public internal(set) var configurations = 0
    /// The transitions from those configurations, executed or inferred.
    public internal(set) var transitions = 0
}

extension Exploration {
    /// The exploration of a system that has failed before it was explored further.
    func failing(_ counterexample: Counterexample<State, Event>) -> Exploration {
        var exploration = self
        (exploration.counterexamples, exploration.gaps) = ([counterexample], [.violation])
        return exploration
    }

    init(
        _ search: Search, events: [Event], _ numbers: ExplorationNumbers<State, Event>, from place: String?,
        gaps: [Gap], counterexamples: [Counterexample<State, Event>],
        counting: @escaping @Sendable () -> [ConfigurationPart],
        drawing: @escaping @Sendable () -> DiagramSource<State, Event>,
        continuing: @escaping Continuing
    ) {
        var levels: [ExplorationLevel] = []
        for node in 0..<search.graph.count {
            let distance = search.graph.distance(of: node)
            while levels.count <= distance { levels.append(ExplorationLevel()) }
            levels[distance].configurations += 1
            levels[distance].transitions += search.graph.knownCount(from: node)
        }
        self.levels = levels
        configurations = search.graph.count
        (self.gaps, self.place) = (gaps, place)
        (bounds, memory) = (search.bounds, search.memory)
        (notes, hasView) = (numbers.findings.notes, numbers.findings.hasView)
        (self.events, self.counting) = (events, SharedValue(counting))
        (self.drawing, self.continuing) = (SharedValue(drawing), continuing)
        self.counterexamples = counterexamples.sorted { $0.trace.count < $1.trace.count }
        states = numbers.states.values()
        let processed = numbers.events.values()
        comparesEvents = numbers.findings.comparesStates
        effectiveEvents = notes.covered.events.sorted().compactMap {
            $0 < processed.count ? processed[$0] : nil
        }
    }
}
