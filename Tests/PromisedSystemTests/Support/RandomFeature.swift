import Promise
import PromisedSystem
import PromisedTesting
import TestSupport

/// A random feature of a leaf: a reducer of any kind, and perhaps a feedback and middleware.
///
/// A recipe, and not the feature itself, because each run has its own trace.
struct RandomFeature: Sendable {
    enum Step: CaseIterable, Sendable { case identity, inPlace, slow, mixed, failing }

    let name: String
    let step: Step
    let delay: Int
    let feedback: RandomFeedback?
    let middleware: RandomMiddleware?

    init(_ name: String, among names: [String], _ random: inout SeededGenerator) {
        self.name = name
        step = Step.allCases.randomElement(using: &random) ?? .inPlace
        delay = Int.random(in: 0...700, using: &random)
        feedback =
            Int.random(in: 0..<4, using: &random) > 0 ? RandomFeedback(name, among: names, &random) : nil
        middleware = .random(using: &random) ? RandomMiddleware(name, &random) : nil
    }

    var reducer: Reducer<Board, Signal> {
        let (name, delay) = (name, delay)
        let slow = Reducer<Board, Signal> { board, signal in
            let next = Board.reducer(board, signal)
            guard case .set(let value?) = signal, value > 1 else { return next }
            return next.delay(.milliseconds(delay)).stateWhenLoading(Board(notes: ["loading \(name)"]))
        }
        switch step {
        case .identity: return .identity
        case .inPlace: return Board.reducer
        case .slow: return slow
        case .mixed:
            return Board.reducer <> slow
                <> Reducer { board, signal in if case .set = signal { board.flag.toggle() } }
        case .failing:
            return Board.reducer
                <> Reducer { board, signal in
                    signal == .set(3) ? Promise(error: TestError(name)) : .value(board)
                }
        }
    }

    func feature(_ trace: Trace) -> Feature<Leaf, Signal> {
        let board = Scope<Leaf, Signal, Board, Signal>(state: \.board, event: .identity())
        return Feature(
            reducer: reducer, feedbacks: feedback.map { [$0.feedback(trace)] } ?? [],
            middleware: middleware?.middleware(trace) ?? .identity
        ).lifted(by: board)
    }
}

/// A random sequence of events for a whole, with their instants and policies.
struct RandomScript<Whole: Level>: Sendable {
    struct Send: Sendable {
        let after: Int
        let event: Whole.Event
        let policy: EventPolicy
    }

    let start: Whole
    private(set) var sends: [Send] = []

    /// - Parameter meant: Embeds an event for the part that the script targets.
    init(
        _ random: inout SeededGenerator, from start: Whole, length: ClosedRange<Int>,
        meant: (inout SeededGenerator) -> Whole.Event?
    ) {
        self.start = start
        var whole = start
        for _ in 0..<Int.random(in: length, using: &random) {
            let event = Int.random(in: 0..<3, using: &random) > 0 ? meant(&random) : nil
            let replaces = Int.random(in: 0..<6, using: &random) == 0
            sends.append(
                Send(
                    after: max(0, Int.random(in: -600...900, using: &random)),
                    event: event ?? whole.event(&random), policy: replaces ? .replace : .queue))
            if let event = sends.last?.event { whole.apply(event) { _, _ in } }
        }
    }

    /// Limits the cascades of effects, whatever the reducer does.
    private static func count(_ leaf: inout Leaf, _ signal: Signal) {
        if case .note = signal { leaf.board.notes.append("·") }
    }

    /// Everything observable of a run, in order, followed by what the release of the system stops.
    func run(_ feature: (Trace) -> Feature<Whole, Whole.Event>) -> Told<Whole> {
        let trace = Trace()
        let scheduler = trace.scheduler
        let (shown, turns) = (Log<Shown<Whole>>(), Log<Told<Whole>.Turn>())
        let edits = Reducer<Whole, Whole.Event> { $0.apply($1, Self.count) }
        let made = feature(trace)
        var system: System<Whole, Whole.Event>? = System(
            initialState: start, scheduler: scheduler, reducer: edits <> made.reducer,
            // Without combining features, which is what the tests check.
            feedbacks: made.feedbacks, middleware: made.middleware)
        let token = system?.shown.subscribe {
            shown.add($0)
            trace.add("shown")
        }
        system?.onError { trace.add("error \($0)") }
        system?.onLoop {
            turns.add(.init($0))
            trace.add("turn \($0.number)")
        }
        scheduler.advance()
        for send in sends {
            scheduler.advance(by: .milliseconds(send.after))
            system?.sendEvent(send.event, policy: send.policy)
        }
        scheduler.advance(by: .seconds(20))
        let lines = trace.take()
        system = nil
        token?.cancel()
        scheduler.finish()
        return Told(lines: lines, atEnd: trace.lines.sorted(), shown: shown.entries, turns: turns.entries)
    }
}

/// Everything observable of a run.
struct Told<Whole: Level>: Equatable {
    struct Turn: Equatable, Sendable {
        let event: Whole.Event
        let line: Int
        let before: Whole
        let after: Whole
        let shown: [Shown<Whole>]
        let outcome: String
        let times: [Duration]

        init(_ record: LoopRecord<Whole, Whole.Event>) {
            (event, line) = (record.event, record.origin.line)
            (before, after, shown) = (record.before, record.after, record.shown)
            outcome = describe(record.outcome)
            times = [record.queueWait, record.duration]
        }
    }

    /// The logged work, middleware and errors, in order, with their instants.
    let lines: [String]
    /// Sorted, because the order at the end is not guaranteed.
    let atEnd: [String]
    let shown: [Shown<Whole>]
    let turns: [Turn]
}
