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
/// What happens on a path must follow from its steps alone. Pure reducers, and effects that use only what the ``World``
/// provides, satisfy that; `async` work that leaves the scheduler cannot be explored.
public struct Explorer<State: Sendable, Event: Sendable>: Sendable {
    /// Builds the system of one path, on the scheduler of that path's world. Invoked once per path.
    public typealias Build = @Sendable (World<State>) -> System<State, Event>

    let events: [Event]
    @usableFromInline let start: @Sendable ([Event], ExplorationNumbers<State, Event>) -> ExplorationRun
    /// Creates the numbering of one exploration.
    @usableFromInline
    let makeNumbers: @Sendable (Merging, _ ignored: Set<String>) -> ExplorationNumbers<State, Event>

    @usableFromInline
    init(
        events: [Event],
        start: @escaping @Sendable ([Event], ExplorationNumbers<State, Event>) -> ExplorationRun,
        makeNumbers: @escaping @Sendable (Merging, Set<String>) -> ExplorationNumbers<State, Event>
    ) {
        (self.events, self.start, self.makeNumbers) = (events, start, makeNumbers)
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
            events: events, start: { Self.begin($0, build, $1) },
            makeNumbers: { _, ignored in
                let knowledge = Knowledge(nil, ignoring: ignored)
                knowledge.noteIncomparable(State.self is any Hashable.Type ? Event.self : State.self)
                return ExplorationNumbers(states: .none(), events: .none(), knowledge)
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
            events: events, start: { Self.begin($0, build, $1) },
            makeNumbers: { merging, ignored in
                let numbers = merging == .equalConfigurations ? WorldNumbers() : nil
                return ExplorationNumbers(
                    states: .byEquality(), events: .byEquality(),
                    Knowledge(numbers, comparesStates: true, ignoring: ignored))
            })
    }

    /// Explores every path up to a depth. After a violation of a property, only paths that are no longer than the
    /// violating one are explored, so the counterexample is the shortest.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path.
    ///   - stepLimit: Stops the exploration after this many steps, repeated and inferred ones included.
    ///   - timeLimit: Stops the exploration after this time, on a real clock. Where it stops differs between machines.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where that
    ///     is a terminal.
    ///   - merging: Whether the steps of equal configurations are executed once.
    ///   - preemptions: The maximum number of preemptions on a path: steps that do something else while the work that
    ///     ran last has a call open. Most races need one or two; nil for any number.
    ///   - violations: Whether to end with the first violation, or to go on and find the shortest of each property.
    public func explore(
        depth: Int, stepLimit: Int = .max, timeLimit: Duration? = nil,
        merging: Merging = .equalConfigurations,
        preemptions: Int? = nil, violations: Violations = .first,
        onProgress: ((ExplorationProgress) -> Void)? = nil
    ) -> Exploration<State, Event> {
        let bounds = SearchBounds(
            depth: depth, stepLimit: stepLimit, timeLimit: timeLimit, merging: merging,
            preemptions: preemptions)
        var found: [Counterexample<State, Event>] = []
        while true {
            let exploration = explore(bounds, found, onProgress ?? Self.printProgress)
            guard violations == .all, exploration.counterexamples.count > found.count,
                let last = exploration.counterexamples.last, last.isOfDeclaredProperty
            else { return exploration }
            found = exploration.counterexamples
        }
    }

    private typealias Found = (numbers: ExplorationNumbers<State, Event>, search: Search)
    private typealias Earlier = (numbers: ExplorationNumbers<State, Event>, memory: SearchMemory)

    /// - Parameters:
    ///   - found: The counterexamples that are known; their properties are not checked.
    ///   - earlier: An exploration that is continued.
    private func explore(
        _ bounds: SearchBounds, _ found: [Counterexample<State, Event>], continuing earlier: Earlier? = nil,
        _ onProgress: @escaping (ExplorationProgress) -> Void
    ) -> Exploration<State, Event> {
        let known = Set(found.map(\.property))
        let (numbers, search) = search(bounds, ignoring: known, continuing: earlier, onProgress)
        let all = found + (counterexample(of: search, known).map { [$0] } ?? [])
        let memory = search.memory
        var drawn = bounds
        (drawn.timeLimit, drawn.stepLimit) = (nil, memory.statistics.isCut ? memory.statistics.counted : .max)
        return Exploration(
            search, events: events, numbers,
            gaps: search.gaps(numbers.knowledge, hasCounterexample: !all.isEmpty), counterexamples: all,
            drawing: { [self, drawn] in
                let (numbers, search) = self.search(drawn, ignoring: known, drawsMap: true) { _ in }
                return Drawing(
                    map: search.map, states: numbers.states.values(), events: events,
                    actions: numbers.knowledge.covered.actions)
            },
            continuing: { [self] depth, stepLimit, timeLimit, onProgress in
                var further = bounds
                (further.depth, further.stepLimit) = (max(depth, bounds.depth), stepLimit)
                further.timeLimit = timeLimit
                return explore(
                    further, found, continuing: (numbers, memory), onProgress ?? Self.printProgress)
            })
    }

    private func search(
        _ bounds: SearchBounds, ignoring known: Set<String>, drawsMap: Bool = false,
        continuing earlier: Earlier? = nil, _ onProgress: @escaping (ExplorationProgress) -> Void
    ) -> Found {
        var (bounds, earlier) = (bounds, earlier)
        if let knowledge = earlier?.numbers.knowledge { bounds.includeWhatIsRead(knowledge) }
        while true {
            let numbers = earlier?.numbers ?? makeNumbers(bounds.merging, known)
            let knowledge = numbers.knowledge
            (knowledge.isClockRead, knowledge.isHistoryRead) = (bounds.isClockRead, bounds.isHistoryRead)
            knowledge.preemptions = bounds.preemptions
            var search = Search(
                makeRun: { start(events, numbers) }, drawsMap: drawsMap && knowledge.comparesStates, bounds,
                continuing: earlier?.memory, onProgress: onProgress)
            search.search()
            guard search.hasToRestart else { return (numbers, search) }
            bounds.includeWhatIsRead(knowledge)
            earlier = nil
        }
    }

    /// Explores every path up to a depth; the test fails if a property is violated, with the shortest counterexample.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path.
    ///   - stepLimit: Stops the exploration after this many steps, repeated and inferred ones included. The test then
    ///     fails, because the exploration is incomplete.
    ///   - timeLimit: The same after this time, on a real clock.
    ///   - mustBeComplete: Whether the test fails unless the exploration is complete, with what is missing.
    ///   - preemptions: The maximum number of preemptions on a path. See
    ///     ``explore(depth:stepLimit:timeLimit:merging:preemptions:violations:onProgress:)``.
    ///   - violations: Whether to end with the first violation, or to go on and report the shortest of each property.
    ///   - regressions: The path of a file that keeps failures, relative to the folder of the test's source file. A
    ///     counterexample is stored there, and is tried first next time. Nothing is stored if nil.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where that
    ///     is a terminal.
    @discardableResult
    public func check(
        depth: Int, stepLimit: Int = .max, timeLimit: Duration? = nil, mustBeComplete: Bool = false,
        preemptions: Int? = nil, violations: Violations = .first, regressions: String? = nil,
        onProgress: ((ExplorationProgress) -> Void)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Exploration<State, Event> {
        let place = TestPlace(fileID, filePath, line, column)
        let file = regressions.map { RegressionFile($0, beside: filePath) }
        if let file, let stored = storedFailure(in: file, place) {
            fail(stored.text(from: file), place, attachments: stored.attachments)
            return explore(depth: 0).failing(stored)
        }
        let exploration = explore(
            depth: depth, stepLimit: stepLimit, timeLimit: timeLimit, preemptions: preemptions,
            violations: violations, onProgress: onProgress)
        for counterexample in exploration.counterexamples {
            fail(stored(counterexample, in: file), place, attachments: exploration.attachments)
        }
        if exploration.counterexample != nil { return exploration }
        if exploration.statistics.isCut {
            fail(
                """
                The exploration stopped after \
                \(exploration.steps + exploration.inferredTransitions) steps, \
                before it was complete to depth \(depth). No violation was found so far.

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise \
                \(exploration.reachedStepLimit ? "stepLimit" : "timeLimit").
                """, place)
        } else {
            exploration.failForGaps(all: mustBeComplete, place)
        }
        return exploration
    }

    /// Replays the shortest violating path, or else the one on which the violation was found, to record its trace.
    private func counterexample(
        of search: Search, _ known: Set<String>
    ) -> Counterexample<State, Event>? {
        if search.isNondeterministic {
            return Counterexample(property: "", trouble: .stepImpossible, trace: [])
        }
        guard let failingPath = search.failingPath else { return cycle(of: search, known) }
        for path in [search.graph.shortestViolation(), failingPath].compactMap({ $0 }) {
            var trace = Trace(self, events, ignoring: known)
            for words in search.words(for: path) { trace.take(words) }
            if let found = trace.counterexample { return sendingEarly(trace.taken, found) }
        }
        return Counterexample(property: "", trouble: .notFoundAgain, trace: [])
    }

    /// A fair cycle on which a property is never fulfilled; of several, the shortest.
    private func cycle(of search: Search, _ known: Set<String>) -> Counterexample<State, Event>? {
        guard let demands = search.demands else { return nil }
        let cycles = FairCycles(graph: search.graph, demands: demands)
        let found = demands.properties.enumerated().filter { !known.contains($0.element) }
            .compactMap { index, property in cycles.lasso(violating: index).map { (property, $0) } }
            .min { $0.1.steps.count < $1.1.steps.count }
        return found.map { property, lasso in
            var trace = Trace(self, events, ignoring: known)
            for words in search.words(for: lasso.steps) { trace.take(words) }
            return trace.cycle(property, from: lasso.steps.count - lasso.cycle)
        }
    }

    private static func printProgress(_ progress: ExplorationProgress) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        FileHandle.standardError.write(Data("Exploring: \(progress)\n".utf8))
    }
}

/// Which violations an exploration finds.
public enum Violations: Sendable, Hashable {
    /// The shortest of all.
    case first
    /// The shortest of each declared property. A property whose violation is known is not checked any more, and the
    /// exploration is repeated, so that what lies behind it is found. It ends with the first violation of what is expected of
    /// every system, such as a queue that does not drain.
    case all
}

/// Which steps an exploration executes once for all paths that lead to them.
public enum Merging: Sendable, Hashable {
    /// The steps of equal configurations: those that agree in everything that a later step can depend on.
    case equalConfigurations
    /// None: every path is executed. This takes many more steps, and is a check of the other way.
    case none
}
