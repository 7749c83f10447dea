internal import Foundation
public import PromisedSystem
internal import PromisedTesting

/// Explores every order in which things can happen to a system, in virtual time: events that are sent, calls that
/// succeed, fail or are never answered, work that is cancelled, time that passes.
///
/// ```swift
/// import PromisedExploring
/// import PromisedSystem
///
/// enum Event: Hashable { case add, cancel }
///
/// let explorer = Explorer<Int, Event>(events: [.add, .cancel]) { world in
///     world.always("never below zero") { $0 >= 0 }
///     return System(
///         initialState: 0, scheduler: world.scheduler,
///         configuration: .init(eventPolicy: { $0 == .cancel ? .replace : .queue })
///     ) { count, event in
///         event == .add ? world.call("save", .value(count + 1), .error(CancellationError())) : .value(count)
///     }
/// }
/// let exploration = explorer.check(depth: 5)
/// print(exploration.configurations, exploration.states.sorted())
/// ```
///
/// A step sends an event, answers an open call with one of its outcomes, or advances the clock to the next instant at
/// which something is due. Each path runs on a system of its own. Where states and events are `Hashable`,
/// configurations that were already visited are not expanded again.
///
/// A path must follow from its steps alone. Pure reducers, and effects that use only what the ``World``
/// provides, satisfy that; `async` work that leaves the scheduler cannot be explored.
public struct Explorer<State: Sendable, Event: Sendable>: Sendable {
    /// Builds the system of one path, on the scheduler of that path's world. Invoked once per path.
    public typealias Build = @Sendable (World<State>) -> System<State, Event>

    let events: [Event]
    @usableFromInline typealias Start =
        @Sendable ([Event], ExplorationNumbers<State, Event>, SentEvents<State, Event>?) -> ExplorationRun
    private let startRun: Start
    /// Which events are sent in a state; nil for all.
    var sent: SentEvents<State, Event>?
    /// The turn of a recorded session from which it explores; nil for the start of the system.
    var place: String?
    /// Creates the numbering of one exploration.
    @usableFromInline
    let makeNumbers: @Sendable (Merging, _ ignored: Set<String>) -> ExplorationNumbers<State, Event>

    @usableFromInline
    init(
        events: [Event], start: @escaping Start,
        makeNumbers: @escaping @Sendable (Merging, Set<String>) -> ExplorationNumbers<State, Event>
    ) {
        (self.events, startRun, self.makeNumbers) = (events, start, makeNumbers)
    }

    /// The explorer with another way to number values.
    init(
        _ other: Explorer,
        makeNumbers: @escaping @Sendable (Merging, Set<String>) -> ExplorationNumbers<State, Event>
    ) {
        self.init(events: other.events, start: other.startRun, makeNumbers: makeNumbers)
        (sent, place) = (other.sent, other.place)
    }

    /// Starts the system of one path.
    func start(_ events: [Event], _ numbers: ExplorationNumbers<State, Event>) -> ExplorationRun {
        startRun(events, numbers, sent)
    }

    /// Explores systems whose configurations cannot be compared: every path is executed, which takes many more steps.
    ///
    /// - Parameters:
    ///   - events: The events that may be sent, any number of times and in every configuration.
    ///   - build: Builds the system on the world's scheduler. It makes its calls with the ``World``, and declares there
    ///     the properties that must hold.
    @inlinable
    public init(events: [Event], build: @escaping Build) {
        self.init(
            events: events, start: { Self.begin($0, build, $1, $2) },
            makeNumbers: { _, ignored in
                let findings = Findings(nil, ignoring: ignored)
                findings.noteIncomparable(State.self is any Hashable.Type ? Event.self : State.self)
                return ExplorationNumbers(states: .none(), events: .none(), findings)
            })
    }

    /// Explores systems whose configurations can be compared: those already visited are not expanded again.
    ///
    /// - Parameters:
    ///   - events: The events that may be sent, any number of times and in every configuration.
    ///   - build: Builds the system on the world's scheduler. It makes its calls with the ``World``, and declares there
    ///     the properties that must hold.
    @inlinable
    public init(events: [Event], build: @escaping Build) where State: Hashable, Event: Hashable {
        self.init(
            events: events, start: { Self.begin($0, build, $1, $2) },
            makeNumbers: { merging, ignored in
                let values = ValueCount()
                let numbers = merging == .equalConfigurations ? WorldNumbers(values) : nil
                return ExplorationNumbers(
                    states: .byEquality(values), events: .byEquality(values),
                    Findings(numbers, values, comparesStates: true, ignoring: ignored))
            })
    }

    /// Explores every path up to a depth. After a violation of a property, only paths that are no longer than the
    /// violating one are explored, so the counterexample is the shortest.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path.
    ///   - options: The limits, the merging, and the violations to find.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where
    ///     that is a terminal.
    public func explore(
        depth: Int, _ options: ExplorationOptions = .init(),
        onProgress: ((ExplorationProgress) -> Void)? = nil
    ) -> Exploration<State, Event> {
        explore(SearchBounds(depth: depth, options), continuing: nil, onProgress)
    }

    typealias Earlier = (numbers: ExplorationNumbers<State, Event>, memory: SearchMemory)
    private typealias Found = (numbers: ExplorationNumbers<State, Event>, search: Search)

    /// - Parameter earlier: An exploration without a counterexample, which is continued.
    func explore(
        _ bounds: SearchBounds, continuing earlier: Earlier?, _ onProgress: ((ExplorationProgress) -> Void)?
    ) -> Exploration<State, Event> {
        let onProgress = onProgress ?? Self.printProgress
        var exploration = explore(bounds, [], continuing: earlier, onProgress)
        // Further violations are looked for from the start.
        var bounds = bounds
        if let earlier { bounds.allow(earlier.memory.statistics.counted) }
        var known = 0
        while bounds.options.violations == .all, exploration.counterexamples.count > known,
            let last = exploration.counterexamples.last, last.isOfDeclaredProperty
        {
            known = exploration.counterexamples.count
            exploration = explore(bounds, exploration.counterexamples, onProgress)
        }
        return exploration
    }

    /// - Parameters:
    ///   - found: The counterexamples that are known; their properties are not checked.
    ///   - earlier: An exploration that is continued.
    private func explore(
        _ bounds: SearchBounds, _ found: [Counterexample<State, Event>], continuing earlier: Earlier? = nil,
        _ onProgress: @escaping (ExplorationProgress) -> Void
    ) -> Exploration<State, Event> {
        let known = Set(found.map(\.property))
        let (numbers, search) = search(bounds, ignoring: known, continuing: earlier, onProgress)
        let all = found + (counterexample(of: search, numbers, known).map { [$0] } ?? [])
        let memory = search.memory
        return Exploration(
            search, events: events, numbers, from: place,
            gaps: search.gaps(numbers.findings, hasCounterexample: !all.isEmpty), counterexamples: all,
            counting: { [self] in self.found(by: memory, bounds, numbers).parts() },
            drawing: { [self] in drawing(of: memory, bounds, ignoring: known) },
            continuing: { [self] depth, options, onProgress in
                var further = bounds
                further.depth = max(depth, bounds.depth)
                further.limit(by: options)
                return explore(further, continuing: (numbers, memory), onProgress)
            })
    }

    /// Explores again as far as an earlier search, with the shown states.
    private func drawing(
        of earlier: SearchMemory, _ bounds: SearchBounds, ignoring known: Set<String>
    ) -> DiagramSource<State, Event> {
        var bounds = bounds
        let statistics = earlier.statistics
        bounds.limit(by: .init(stepLimit: statistics.isCut ? statistics.counted : .max, timeLimit: nil))
        let (numbers, search) = search(bounds, ignoring: known, drawsMap: true) { _ in }
        let memory = search.memory
        return DiagramSource(
            map: search.map, states: numbers.states.values(), events: events,
            actions: numbers.findings.covered.actions
        ) { [bounds] steps in
            let search = self.found(by: memory, bounds, numbers)
            return entries(of: search.shortestPath(over: steps), search)
        }
    }

    /// A search that has found what an earlier one has, to execute its paths.
    private func found(
        by memory: SearchMemory, _ bounds: SearchBounds, _ numbers: ExplorationNumbers<State, Event>
    ) -> Search {
        Search(
            makeRun: { start(events, numbers) }, drawsMap: false, bounds, numbers.findings, continuing: memory
        ) { _ in }
    }

    private func search(
        _ bounds: SearchBounds, ignoring known: Set<String>, drawsMap: Bool = false,
        continuing earlier: Earlier? = nil, _ onProgress: @escaping (ExplorationProgress) -> Void
    ) -> Found {
        var (bounds, earlier, outside) = (bounds, earlier, [String]())
        if let findings = earlier?.numbers.findings { bounds.dependencies = findings.dependencies }
        while true {
            let numbers = earlier?.numbers ?? makeNumbers(bounds.options.merging, known)
            let findings = numbers.findings
            findings.begin(bounds.dependencies)
            for what in outside { findings.noteOutside(what) }
            var search = Search(
                makeRun: { start(events, numbers) }, drawsMap: drawsMap && findings.comparesStates, bounds,
                findings, continuing: earlier?.memory, onProgress: onProgress)
            search.search()
            if !search.hasToRestart, !drawsMap { search.audit() }
            guard search.hasToRestart else { return (numbers, search) }
            bounds.dependencies = findings.dependencies
            // It may be found once only, such as a promise that all paths share and that the first one cancels.
            outside = findings.notes.outside
            earlier = nil
        }
    }

    private static func printProgress(_ progress: ExplorationProgress) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        FileHandle.standardError.write(Data("Exploring: \(progress)\n".utf8))
    }
}
