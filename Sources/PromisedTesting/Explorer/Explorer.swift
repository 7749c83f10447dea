internal import Foundation
public import PromisedSystem

/// Goes through every order in which things can happen to a system, in virtual time: events that are sent, calls that
/// succeed, fail or are never answered, work that is cancelled, time that passes.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// enum Event: Hashable { case add, cancel }
///
/// let explorer = Explorer<Int, Event>(events: [.add, .cancel]) { world in
///     world.always("never below zero") { $0 >= 0 }
///     return System(
///         initialState: 0, scheduler: world.scheduler, eventPolicy: { $0 == .cancel ? .replace : .queue }
///     ) { count, event in
///         event == .add ? world.call("save", .value(count + 1), .error(CancellationError())) : .value(count)
///     }
/// }
/// let exploration = explorer.check(depth: 5)
/// print(exploration.configurations, exploration.states.sorted())
/// ```
///
/// A step is an event that is sent, an open call that turns out in one of its ways, or the clock going on to the next
/// instant at which something is due. Each path is gone by a system that is built for it alone. Where states and events
/// are `Hashable`, paths that lead to one and the same moment are gone on from once.
///
/// What happens in a path must follow from its steps alone. Reducers that are pure and effects that only use what
/// ``World`` gives are all that takes; `async` work that leaves the scheduler cannot be explored.
public struct Explorer<State: Sendable, Event: Sendable>: Sendable {
    /// Builds a system in its world.
    public typealias Build = @Sendable (World<State>) -> System<State, Event>

    let events: [Event]
    @usableFromInline let start: @Sendable ([Event], ExplorationNumbers<State, Event>) -> ExplorationRun
    /// The numbers of an exploration; nil where moments cannot be compared.
    @usableFromInline let makeNumbers: (@Sendable () -> ExplorationNumbers<State, Event>)?

    @usableFromInline
    init(
        events: [Event],
        start: @escaping @Sendable ([Event], ExplorationNumbers<State, Event>) -> ExplorationRun,
        makeNumbers: (@Sendable () -> ExplorationNumbers<State, Event>)?
    ) {
        (self.events, self.start, self.makeNumbers) = (events, start, makeNumbers)
    }

    /// Explores systems whose moments cannot be compared: every path is gone, which is many more.
    ///
    /// - Parameters:
    ///   - events: What may be sent, any number of times and at every moment.
    ///   - build: Builds the system on the world's scheduler; its calls are those of the ``World``, and what is expected of
    ///     it is said to that.
    @inlinable
    public init(events: [Event], build: @escaping Build) {
        self.init(events: events, start: { Self.begin($0, build, $1) }, makeNumbers: nil)
    }

    /// Explores systems whose moments can be compared: what was seen before is not gone on from again.
    ///
    /// - Parameters:
    ///   - events: What may be sent, any number of times and at every moment.
    ///   - build: Builds the system on the world's scheduler; its calls are those of the ``World``, and what is expected of
    ///     it is said to that.
    @inlinable
    public init(events: [Event], build: @escaping Build) where State: Hashable, Event: Hashable {
        self.init(
            events: events, start: { Self.begin($0, build, $1) },
            makeNumbers: {
                ExplorationNumbers(states: .byEquality(), events: .byEquality(), world: WorldNumbers())
            })
    }

    /// Explores every path up to a depth, and stops at the first that breaks what is expected.
    ///
    /// - Parameters:
    ///   - depth: How many steps a path has at most.
    ///   - stepLimit: After how many steps to stop in any case, those that need not be tried included.
    ///   - onProgress: Told after every 10,000 steps; prints to standard error unless given.
    public func explore(
        depth: Int, stepLimit: Int = .max, onProgress: ((ExplorationProgress) -> Void)? = nil
    ) -> Exploration<State, Event> {
        let numbers = makeNumbers?()
        let used = numbers ?? ExplorationNumbers(states: .none(), events: .none())
        var search = Search(
            makeRun: { start(events, used) }, table: numbers.map { _ in StateTable() }, depth: depth,
            stepLimit: stepLimit, onProgress: onProgress ?? Self.printProgress)
        search.search()
        return Exploration(
            search, events: events, allStates: used.states.values(),
            counterexample: counterexample(of: search))
    }

    /// Explores every path up to a depth; the test fails if one breaks what is expected, with the shortest such path.
    ///
    /// - Parameters:
    ///   - depth: How many steps a path has at most.
    ///   - stepLimit: After how many steps the test fails, as not everything was looked at.
    ///   - onProgress: Told after every 10,000 steps; prints to standard error unless given.
    @discardableResult
    public func check(
        depth: Int, stepLimit: Int = .max, onProgress: ((ExplorationProgress) -> Void)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Exploration<State, Event> {
        let exploration = explore(depth: depth, stepLimit: stepLimit, onProgress: onProgress)
        let place = TestPlace(fileID, filePath, line, column)
        if let counterexample = exploration.counterexample {
            fail(counterexample.description, place)
        } else if exploration.reachedStepLimit {
            fail(
                """
                The exploration was to go to a depth of \(depth), and stopped after \
                \(exploration.steps + exploration.inferredTransitions) steps. Nothing \
                was found up to there.

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise stepLimit.
                """, place)
        }
        return exploration
    }

    /// Goes the shortest path that breaks something once more, with everything that is seen on the way.
    private func counterexample(of search: Search) -> Counterexample<State, Event>? {
        if search.isNondeterministic { return Counterexample(property: "", trouble: .astray, trace: []) }
        guard let failingPath = search.failingPath else { return nil }
        for path in [search.moments.shortestViolation(), failingPath].compactMap({ $0 }) {
            var trace = Trace(self, events)
            for words in search.words(for: path) { trace.take(words) }
            if let counterexample = trace.counterexample { return counterexample }
        }
        return Counterexample(property: "", trouble: .notFoundAgain, trace: [])
    }

    private static func printProgress(_ progress: ExplorationProgress) {
        FileHandle.standardError.write(Data("Exploring: \(progress)\n".utf8))
    }
}
