internal import Promise
internal import PromisedSystem
internal import PromisedTesting

/// Records what one system on a path has done, as far as it determines what the system does next.
final class SystemRecord: Sendable {
    private struct TurnRecord: Sendable {
        var settled = 0
        /// The number of events that were sent since the last step, and the activity at the end of the last turn.
        var sent = 0
        var activityAtEnd: Int?
        var lastEvent: Int?
        /// The running turn's transition.
        var transition: WorkItem?
        var runs: [Int: WorkItem] = [:]
        /// The work that the code belonged to which called the code of another one.
        var outer: [(any SerialScheduler)?] = []
        /// The inputs of each feedback with a memory, by its index.
        var memories: [Int: Int] = [:]
        var middleware = 0
        /// The feedback that is evaluated, for an event or for a state, and what it has read.
        var evaluated: (feedback: Int, forEvent: Bool)?
        var reads = 0
        var occasion: Int?
    }

    let path: PathRecord
    private let numbers: WorldNumbers?
    private let content = Lock(TurnRecord())
    /// By feedback, what its decisions depend on; set once.
    private let memoryKinds = Lock<[FeedbackMemory]>([])

    init(_ path: PathRecord, numbers: WorldNumbers?) { (self.path, self.numbers) = (path, numbers) }

    func begin(state: Int, memories: [FeedbackMemory]) {
        content.withLock { $0.settled = state }
        memoryKinds.withLock { $0 = memories }
    }

    /// Returns the activity since the last call: the number of events that were sent, and ``PathRecord/activity``
    /// at the end of the last turn; nil if none has ended.
    func takeTurns() -> (sent: Int, activityAtEnd: Int?) {
        content.withLock { content in
            defer { (content.sent, content.activityAtEnd) = (0, nil) }
            return (content.sent, content.activityAtEnd)
        }
    }

    /// Takes the system to be at rest in a state, as if nothing had happened before.
    func restart(state: Int) {
        content.withLock { ($0.settled, $0.lastEvent, $0.transition, $0.runs) = (state, nil, nil, [:]) }
    }

    /// The event of the last turn.
    var lastEvent: Int? { content.withLock { $0.lastEvent } }
    /// The work of the running turn, and of a run.
    var transition: WorkItem? { content.withLock { $0.transition } }
    func run(_ number: Int) -> WorkItem? { content.withLock { $0.runs[number] } }

    /// The memories of middleware and the feedbacks, as histories.
    func memories(withMiddleware: Bool) -> [Int] {
        content.withLock { content in
            (withMiddleware ? [content.middleware] : [])
                + content.memories.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        }
    }

    /// Records that the evaluation of a feedback has read something.
    func reads(_ kind: PathHistory.Addition, _ first: Int, _ second: Int) {
        content.withLock { content in
            content.reads = PathHistory.adding(
                .reading, PathHistory.adding(kind, first, second), to: content.reads)
            content.occasion = nil
        }
    }

    /// Runs the following code as that of `work`, until ``leave()``.
    private func enter(_ work: WorkItem) {
        content.withLock { $0.outer.append(inheritedScheduler) }
        inheritedScheduler = work
    }

    private func leave() { inheritedScheduler = content.withLock { $0.outer.popLast() } ?? nil }
}

// What its probe has noted, in numbers.
extension SystemRecord {
    func number<Value: Sendable>(of value: Value) -> Int {
        guard let numbers else { return 0 }
        return numbers.number(ofAny: value) { path.findings.noteIncomparable(Value.self) }
    }

    func sends() {
        path.acts()
        content.withLock { $0.sent += 1 }
    }

    func endsTurn() {
        if !path.isExplored(self) { path.acts() }
        let activity = path.activity
        content.withLock { $0.activityAtEnd = activity }
    }

    func entersMiddleware(event: Int, state: Int) {
        content.withLock { $0.middleware = PathHistory.adding(.memory, event, state, to: $0.middleware) }
    }

    func begins(event: Int, state: Int) {
        let work = WorkItem(path, history: PathHistory.adding(.transition, event, state))
        content.withLock { content in
            (content.settled, content.lastEvent, content.transition) = (state, event, work)
        }
        enter(work)
        path.acts()
    }

    func hasReduced() { leave() }

    func shows(state: Int, isLoading: Bool) {
        let before = content.withLock { content in
            defer { if !isLoading { content.settled = state } }
            return content.settled
        }
        guard path.isExplored(self) else { return path.acts() }
        if state != before { coverLastEvent() }
        path.shows(state, isLoading: isLoading)
    }

    /// Notes that the last event has changed something.
    private func coverLastEvent() {
        if let event = lastEvent { path.findings.cover { $0.add(event) } }
    }

    func reads(settled: Int, interim: Int?, history: [Int]?) {
        if history != nil { path.findings.noteDependency(on: .history) }
        path.reads(states: history ?? [settled, interim ?? -1])
    }

    func exceedsCascade(event: Int) {
        path.add(Violation(property: "the queue drains", kind: .endless(event)))
    }
}

extension SystemRecord: SystemObserver {
    package var transitionScheduler: any SerialScheduler { transition ?? path.scheduler }

    package func makeProbe<State: Sendable, Event: Sendable>() -> LoopProbe<State, Event> {
        LoopProbe(
            record: self, .init(state: { self.number(of: $0) }, event: { self.number(of: $0) }),
            shown: { _, _ in }, begun: { _ in })
    }

    package var now: Duration { path.scheduler.unobservedNow }

    package func evaluates(_ feedback: Int, forEvent: Bool) {
        content.withLock { content in
            (content.evaluated, content.reads, content.occasion) = ((feedback, forEvent), 0, nil)
        }
        path.evaluate(for: self)
    }

    package func hasEvaluated() {
        path.evaluate(for: nil)
        let kinds = memoryKinds.withLock { $0 }
        content.withLock { content in
            guard let (feedback, forEvent) = content.evaluated else { return }
            let memory = kinds.indices.contains(feedback) ? kinds[feedback] : .ofStates
            let given = PathHistory.adding(
                .memory, forEvent ? content.lastEvent ?? -1 : -1, content.settled, to: content.reads)
            switch memory {
            // Otherwise its memory follows from the settled state.
            case .ofStates:
                if !forEvent { content.memories[feedback] = content.reads == 0 ? nil : content.reads }
            case .ofLastEvent:
                content.memories[feedback] = PathHistory.adding(
                    .memory, content.lastEvent ?? -1, to: content.reads)
            case .ofEvents:
                content.memories[feedback] = PathHistory.adding(
                    .memory, given, to: content.memories[feedback] ?? 0)
            }
        }
    }

    package var occasion: Int {
        if let occasion = path.occasionOutsideTurns(of: self) { return occasion }
        return content.withLock { content in
            if let occasion = content.occasion { return occasion }
            let occasion = PathHistory.adding(
                .occasion, content.lastEvent ?? -1, content.settled, to: content.reads)
            content.occasion = occasion
            return occasion
        }
    }

    package func occasion(of payload: any Sendable) -> Int? {
        // An object may be equal to itself alone, and is created again on each path.
        guard let numbers, payload is any Hashable, !(type(of: payload) is AnyClass) else { return nil }
        return PathHistory.adding(.payload, numbers.number(ofAny: payload) {})
    }

    package func starts(
        _ number: Int, of request: Int, _ place: [EffectKey], from origin: Origin, requestedAt occasion: Int
    ) -> any RunScheduler {
        if path.isExplored(self) {
            coverLastEvent()
            path.findings.cover { $0.add(origin, hasStarted: true) }
        }
        let history = place.reduce(occasion) { history, part in
            PathHistory.adding(.effect, path.findings.numbers?.number(of: part) ?? 0, to: history)
        }
        let work = WorkItem(path, history: history)
        content.withLock { $0.runs[number] = work }
        enter(work)
        return work
    }

    package func hasStarted() { leave() }
    package func waits(_ request: Int, _ place: [EffectKey], from origin: Origin) {}
    package func timerFired(of request: Int) {}
    package func ended(_ number: Int, _ error: (any Error)?) {}
    package func cancelled(_ number: Int) {}

    package func updates(workOf runs: [Int]) {
        let occasion = occasion
        for run in runs { self.run(run)?.learn(.update, occasion) }
    }

    package func broadcasts(from number: Int, to runs: [Int]) {
        let sender = run(number)?.history ?? path.path
        for run in runs { self.run(run)?.learn(.broadcast, sender) }
    }
}
