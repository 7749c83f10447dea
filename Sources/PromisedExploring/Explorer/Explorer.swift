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
    @usableFromInline let makeNumbers: @Sendable (Merging) -> ExplorationNumbers<State, Event>

    @usableFromInline
    init(
        events: [Event],
        start: @escaping @Sendable ([Event], ExplorationNumbers<State, Event>) -> ExplorationRun,
        makeNumbers: @escaping @Sendable (Merging) -> ExplorationNumbers<State, Event>
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
            makeNumbers: { _ in
                let knowledge = Knowledge(nil)
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
            makeNumbers: { merging in
                let numbers = merging == .equalConfigurations ? WorldNumbers() : nil
                return ExplorationNumbers(
                    states: .byEquality(), events: .byEquality(), Knowledge(numbers, comparesStates: true))
            })
    }

    /// Explores every path up to a depth. After a violation of a property, only paths that are no longer than the
    /// violating one are explored, so the counterexample is the shortest.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path.
    ///   - stepLimit: Stops the exploration after this many steps, repeated and inferred ones included.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where that
    ///     is a terminal.
    ///   - merging: Whether the steps of equal configurations are executed once.
    public func explore(
        depth: Int, stepLimit: Int = .max, merging: Merging = .equalConfigurations,
        onProgress: ((ExplorationProgress) -> Void)? = nil
    ) -> Exploration<State, Event> {
        let (numbers, search) = search(depth, stepLimit, merging, onProgress ?? Self.printProgress)
        let counterexample = counterexample(of: search)
        return Exploration(
            search, states: numbers.states.values(),
            gaps: search.gaps(numbers.knowledge, hasCounterexample: counterexample != nil),
            counterexample: counterexample,
            drawing: { [self] in
                let (numbers, search) = self.search(depth, stepLimit, merging, drawsMap: true) { _ in }
                return Drawing(map: search.map, states: numbers.states.values(), events: events)
            })
    }

    private func search(
        _ depth: Int, _ stepLimit: Int, _ merging: Merging, drawsMap: Bool = false,
        _ onProgress: @escaping (ExplorationProgress) -> Void
    ) -> (ExplorationNumbers<State, Event>, Search) {
        var isClockRead = false
        while true {
            let numbers = makeNumbers(merging)
            let knowledge = numbers.knowledge
            knowledge.isClockRead = isClockRead
            var search = Search(
                makeRun: { start(events, numbers) }, drawsMap: drawsMap && knowledge.comparesStates,
                depth: depth, stepLimit: stepLimit, onProgress: onProgress)
            search.search()
            // Configurations were compared without the time before it was known that it counts.
            guard knowledge.isClockRead, !isClockRead, merging == .equalConfigurations else {
                return (numbers, search)
            }
            isClockRead = true
        }
    }

    /// Explores every path up to a depth; the test fails if a property is violated, with the shortest counterexample.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path.
    ///   - stepLimit: Stops the exploration after this many steps, repeated and inferred ones included. The test then
    ///     fails, because the exploration is incomplete.
    ///   - regressions: The path of a file that keeps failures, relative to the folder of the test's source file. A
    ///     counterexample is stored there, and is tried first next time. Nothing is stored if nil.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where that
    ///     is a terminal.
    @discardableResult
    public func check(
        depth: Int, stepLimit: Int = .max, regressions: String? = nil,
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
        let exploration = explore(depth: depth, stepLimit: stepLimit, onProgress: onProgress)
        if let counterexample = exploration.counterexample {
            fail(stored(counterexample, in: file), place, attachments: exploration.attachments)
        } else if exploration.reachedStepLimit {
            fail(
                """
                The exploration stopped after \
                \(exploration.steps + exploration.inferredTransitions) steps, \
                before it was complete to depth \(depth). No violation was found so far.

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise stepLimit.
                """, place)
        }
        return exploration
    }

    /// Replays the shortest violating path, or else the one on which the violation was found, to record its trace.
    private func counterexample(of search: Search) -> Counterexample<State, Event>? {
        if search.isNondeterministic {
            return Counterexample(property: "", trouble: .stepImpossible, trace: [])
        }
        guard let failingPath = search.failingPath else { return nil }
        for path in [search.graph.shortestViolation(), failingPath].compactMap({ $0 }) {
            var trace = Trace(self, events)
            for words in search.words(for: path) { trace.take(words) }
            if let counterexample = trace.counterexample { return counterexample }
        }
        return Counterexample(property: "", trouble: .notFoundAgain, trace: [])
    }

    private static func printProgress(_ progress: ExplorationProgress) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        FileHandle.standardError.write(Data("Exploring: \(progress)\n".utf8))
    }
}

/// Which steps an exploration executes once for all paths that lead to them.
public enum Merging: Sendable, Hashable {
    /// The steps of equal configurations: those that agree in everything that a later step can depend on.
    case equalConfigurations
    /// None: every path is executed. This takes many more steps, and is a check of the other way.
    case none
}
