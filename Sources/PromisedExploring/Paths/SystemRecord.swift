public import Promise
public import PromisedSystem
internal import PromisedTesting
internal import Synchronization

/// Records what one system on a path has done, as far as it determines what the system does next.
@usableFromInline
final class SystemRecord: Sendable {
    private struct TurnRecord: Sendable {
        /// The number of the settled state; negative if it is not known, or belongs to that value alone.
        var settled = -1
        var lastEvent: Int?
        /// The running turn's transition.
        var transition: WorkItem?
        var runs: [Int: WorkItem] = [:]
        /// The work that the code belonged to which called the code of another one.
        var outer: [(any SerialScheduler)?] = []
        /// The inputs of each feedback with a memory, by its index.
        var memories: [Int: Int] = [:]
        var middlewareWork: WorkItem?
        var isMiddlewareStateful = false
        /// The feedback that is evaluated, for an event or for a state, and what it has read.
        var evaluated: (feedback: Int, forEvent: Bool)?
        var reads = 0
        var occasion: Int?
    }

    @usableFromInline let path: PathRecord
    /// Whether it is that of the explored system.
    let isExplored: Bool
    private let numbers: WorldNumbers?
    private let content = Lock(TurnRecord())
    /// The number of uses of the queue since the last step, and the activity at the end of the last turn; -1 if none has
    /// ended.
    let queueUses = Atomic(0), activityAtEnd = Atomic(-1)
    /// The starters of the pending promises for the end of the queue, in their order.
    let pendingEnds = Lock<[PathRecord.Started.Joiner]>([])
    /// By feedback, what its decisions depend on; set once.
    private let memoryKinds = Lock<[FeedbackMemory]>([])

    init(_ path: PathRecord, isExplored: Bool = false) {
        (self.path, self.isExplored, numbers) = (path, isExplored, path.findings.numbers)
    }

    func begin(state: Int, memories: [FeedbackMemory]) {
        content.withLock { $0.settled = state }
        memoryKinds.withLock { $0 = memories }
    }

    /// Returns the activity since the last call: the number of uses of the queue, and ``PathRecord/activity``
    /// at the end of the last turn; nil if none has ended.
    func takeTurns() -> (queueUses: Int, activityAtEnd: Int?) {
        let end = activityAtEnd.exchange(-1, ordering: .relaxed)
        return (queueUses.exchange(0, ordering: .relaxed), end < 0 ? nil : end)
    }

    /// Takes the system to be at rest in a state, as if nothing had happened before.
    func restart(state: Int) {
        content.withLock { content in
            (content.settled, content.lastEvent) = (state, nil)
            if !content.runs.isEmpty { content.runs = [:] }
        }
    }

    /// The number of the settled state, if equal states are known to have the same.
    @usableFromInline var knownState: Int? {
        let settled = content.withLock { $0.settled }
        return numbers == nil || settled < 0 ? nil : settled
    }

    /// The event of the last turn.
    var lastEvent: Int? { content.withLock { $0.lastEvent } }
    /// The work of the running turn, and of a run.
    var transition: WorkItem? { content.withLock { $0.transition } }
    func run(_ number: Int) -> WorkItem? { content.withLock { $0.runs[number] } }

    /// The memories of middleware and the feedbacks, as histories.
    var memories: [Int] {
        content.withLock { content in
            let middleware = content.isMiddlewareStateful ? content.middlewareWork?.history : nil
            if middleware == nil, content.memories.isEmpty { return [] }
            return [middleware ?? 0]
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

    @usableFromInline func endsTurn() {
        if !isExplored { path.acts() }
        activityAtEnd.store(path.activity, ordering: .relaxed)
    }

    /// Runs the following code as work of the middleware: it knows its arguments, and if it is stateful, what it has
    /// learned before.
    @usableFromInline
    func entersMiddleware(events: [Int], state: Int, isAfterTurn: Bool, isStateful: Bool) {
        let history = PathHistory.adding(
            .memory, state, isAfterTurn ? 1 : 0,
            to: events.reduce(0) { PathHistory.adding(.memory, $1, to: $0) })
        let work = content.withLock { content in
            content.isMiddlewareStateful = isStateful
            if let work = content.middlewareWork, isStateful {
                work.learn(.memory, history)
                return work
            }
            let known = isKnownUniquelyReferenced(&content.middlewareWork) ? content.middlewareWork : nil
            if let known {
                known.restart(history)
                return known
            }
            let work = WorkItem(path, history: history)
            content.middlewareWork = work
            return work
        }
        enter(work)
    }

    @usableFromInline func leavesMiddleware() { leave() }

    @usableFromInline func begins(event: Int, state: Int) {
        let history = PathHistory.adding(.transition, event, state)
        let outer = inheritedScheduler
        let work = content.withLock { content in
            (content.settled, content.lastEvent) = (state, event)
            content.outer.append(outer)
            // That of an earlier turn is used again, unless something may still refer to it.
            if isKnownUniquelyReferenced(&content.transition), let work = content.transition {
                work.restart(history)
                return work
            }
            let work = WorkItem(path, history: history)
            content.transition = work
            return work
        }
        inheritedScheduler = work
        path.acts()
    }

    @usableFromInline func hasReduced() { leave() }

    @usableFromInline func shows(state: Int, isLoading: Bool) {
        let (before, event) = content.withLock { content in
            defer { if !isLoading { content.settled = state } }
            return (content.settled, content.lastEvent)
        }
        guard isExplored else { return path.acts() }
        if state != before, let event { path.findings.cover(event) }
        path.shows(state, isLoading: isLoading)
    }

    /// Notes that the last event has changed something.
    private func coverLastEvent() {
        if let event = lastEvent { path.findings.cover(event) }
    }

    @usableFromInline func reads(settled: Int, interim: Int?, history: [Int]?) {
        if history != nil { path.findings.noteDependency(on: .history) }
        path.reads(states: history ?? [settled, interim ?? -1])
    }

    @usableFromInline func exceedsCascade(event: Int) {
        path.add(Violation(property: "the queue drains", kind: .endless(event)))
    }
}

extension SystemRecord: SystemObserver {
    @usableFromInline package var transitionScheduler: any SerialScheduler { transition ?? path.scheduler }

    @usableFromInline package func makeProbe<State: Sendable, Event: Sendable>() -> LoopProbe<State, Event> {
        LoopProbe(
            record: self, .init(state: { self.number(of: $0) }, event: { self.number(of: $0) }),
            shown: { _, _ in }, begun: { _ in })
    }

    @usableFromInline package var now: Duration { path.scheduler.unobservedNow }

    @usableFromInline package func evaluates(_ feedback: Int, forEvent: Bool) {
        content.withLock { content in
            (content.evaluated, content.reads, content.occasion) = ((feedback, forEvent), 0, nil)
        }
        path.evaluate(for: self)
    }

    @usableFromInline package func hasEvaluated() {
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

    @usableFromInline package var occasion: Int {
        if let occasion = path.occasionOutsideTurns(of: self) { return occasion }
        return content.withLock { content in
            if let occasion = content.occasion { return occasion }
            let occasion = PathHistory.adding(
                .occasion, content.lastEvent ?? -1, content.settled, to: content.reads)
            content.occasion = occasion
            return occasion
        }
    }

    @usableFromInline package func occasion(of payload: any Sendable) -> Int? {
        // An object may be equal to itself alone, and is created again on each path.
        guard let numbers, payload is any Hashable, !(type(of: payload) is AnyClass) else { return nil }
        return PathHistory.adding(.payload, numbers.number(ofAny: payload) {})
    }

    @usableFromInline package func occasion(ofKey key: EffectKey) -> Int? {
        numbers.map { PathHistory.adding(.payload, $0.number(of: key), 1) }
    }

    @usableFromInline package func starts(
        _ number: Int, of request: Int, _ place: [EffectKey], from origin: Origin, requestedAt occasion: Int,
        window: Duration?
    ) -> any RunScheduler {
        if isExplored {
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

    @usableFromInline package func hasStarted() { leave() }
    @usableFromInline package func waits(
        _ request: Int, _ place: [EffectKey], from origin: Origin, window: Duration?
    ) {}
    @usableFromInline package func timerFired(of request: Int) {}
    @usableFromInline package func ended(_ number: Int, _ error: (any Error)?) {}
    @usableFromInline package func cancelled(_ number: Int) { run(number)?.cancel() }

    @usableFromInline package func updates(workOf runs: [Int]) {
        let occasion = occasion
        for run in runs { self.run(run)?.learn(.update, occasion) }
    }

    @usableFromInline package func broadcasts(from number: Int, to runs: [Int]) {
        let sender = run(number)?.history ?? path.path
        for run in runs { self.run(run)?.learn(.broadcast, sender) }
    }
}
