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
    let build: Build
    let makeRecognizer: (@Sendable () -> Recognizer<State, Event>)?

    /// Explores systems whose moments cannot be compared: every path is gone, which is many more.
    ///
    /// - Parameters:
    ///   - events: What may be sent, any number of times and at every moment.
    ///   - build: Builds the system on the world's scheduler; its calls are made with ``World/call(_:_:file:line:)``, and
    ///     what is expected of it is said to the world.
    public init(events: [Event], build: @escaping Build) {
        (self.events, self.build, makeRecognizer) = (events, build, nil)
    }

    /// Explores systems whose moments can be compared: what was seen before is not gone on from again.
    ///
    /// - Parameters:
    ///   - events: What may be sent, any number of times and at every moment.
    ///   - build: Builds the system on the world's scheduler; its calls are made with ``World/call(_:_:file:line:)``, and
    ///     what is expected of it is said to the world.
    public init(events: [Event], build: @escaping Build)
    where State: Hashable, Event: Hashable {
        (self.events, self.build, makeRecognizer) = (events, build, { Recognizer() })
    }

    /// Explores every path up to a depth, and stops at the first that breaks what is expected.
    ///
    /// - Parameters:
    ///   - depth: How many steps a path has at most.
    ///   - pathLimit: After how many paths to stop in any case.
    ///   - onProgress: Told after every 10,000 paths; prints to standard error unless given.
    public func explore(
        depth: Int, pathLimit: Int = .max, onProgress: ((ExplorationProgress) -> Void)? = nil
    ) -> Exploration<State, Event> {
        let recognizer = makeRecognizer?()
        var search = Search(
            events: events, build: build, table: recognizer, depth: depth, pathLimit: pathLimit,
            onProgress: onProgress ?? Self.printProgress)
        search.run()
        return Exploration(
            tally: search.tally, start: search.map.start, edges: search.map.edges, events: events, allStates: recognizer?.allStates() ?? [],
            counterexample: search.failure.map { counterexample($0.moves, $0.violation) })
    }

    /// Explores every path up to a depth; the test fails if one breaks what is expected, with the shortest such path.
    ///
    /// - Parameters:
    ///   - depth: How many steps a path has at most.
    ///   - pathLimit: After how many paths the test fails, as not everything was looked at.
    ///   - onProgress: Told after every 10,000 paths; prints to standard error unless given.
    @discardableResult
    public func check(
        depth: Int, pathLimit: Int = .max, onProgress: ((ExplorationProgress) -> Void)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Exploration<State, Event> {
        let exploration = explore(depth: depth, pathLimit: pathLimit, onProgress: onProgress)
        let place = TestPlace(fileID, filePath, line, column)
        if let counterexample = exploration.counterexample {
            fail(counterexample.description, place)
        } else if exploration.isCut {
            fail(
                """
                The exploration was to go to a depth of \(depth), and stopped at \(exploration.levels.count), after \
                \(exploration.paths) paths. Nothing was found up to there.

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise pathLimit.
                """, place)
        }
        return exploration
    }

    func counterexample(_ moves: [Move], _ violation: Violation<State, Event>) -> Counterexample<State, Event> {
        let run = ExplorationRun(events: events, build)
        var steps: [Step<Event>] = []
        var trace: [Counterexample<State, Event>.Entry] = []
        _ = run.takeNews()
        for move in moves {
            guard let step = run.step(of: move) else { break }
            run.take(move)
            steps.append(step)
            let news = run.takeNews()
            trace.append(.init(step: step, shown: news.shown, errors: news.errors.map { "\($0)" }))
        }
        return Counterexample(violation: violation, trace: trace)
    }

    private static func printProgress(_ progress: ExplorationProgress) {
        FileHandle.standardError.write(Data("Exploring: \(progress)\n".utf8))
    }
}
