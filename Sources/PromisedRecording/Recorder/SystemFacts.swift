internal import Promise
internal import PromisedSystem

/// The facts of one system: its loop appends them, and the writer takes them.
final class SystemFacts<State: Sendable, Event: Sendable>: FactSource {
    struct NumberedFact: Sendable {
        let number: Int
        let fact: SystemFact<State, Event>
    }

    private struct Contents: Sendable {
        var facts: [NumberedFact] = []
        /// How many facts are kept; the writer sets it by the size of the states.
        var capacity = 100_000
        var skipped: SkippedFacts<State>?
        var isPaused = false
        var isClosed = false
        var hasMiddleware = false
        /// Whether the loop is released.
        var isOver = false
    }

    private let contents = Lock(Contents())
    private let buffer: FactBuffer
    private let now: @Sendable () -> Duration

    /// - Parameters:
    ///   - start: What the clock showed when the session began.
    ///   - now: The clock of the system.
    init(_ buffer: FactBuffer, _ name: String, start: Duration, _ now: @escaping @Sendable () -> Duration) {
        (self.buffer, self.now) = (buffer, now)
        lines = Lock(SystemLines(name, start))
    }

    // MARK: For the loop

    /// Called by the owner of the loop.
    func note(_ fact: LoopFact<State, Event>) {
        switch fact {
        case .sent(let entry, let sender): append(.sent(SentEvent(entry, by: sender)))
        case .begins(let turn, _):
            let event = contents.withLock { $0.hasMiddleware } ? turn.event : nil
            append(
                .begins(
                    BegunTurn(
                        number: turn.number, sent: turn.sent?.number ?? 0, event: event,
                        at: turn.startedAt ?? now())))
        case .shows(let state, .committed): append(.shows(state, .committed, at: nil))
        case .shows(let state, let kind): append(.shows(state, kind, at: now()))
        case .ends(let turn, let outcome, let isUnhandled):
            append(
                .ends(
                    turn: turn.number, sent: turn.sent?.number ?? 0, outcome, isUnhandled: isUnhandled,
                    at: now()))
        case .pends: append(.pends)
        case .entersMiddleware:
            contents.withLock { $0.hasMiddleware = true }
            append(.entersMiddleware)
        case .attached(let state, _): append(.attached(state, at: now()))
        case .dropped(let entry, let reason): append(.dropped(entry.sent?.number ?? 0, reason, at: now()))
        case .delayEnded(let keys, let end): append(.delayEnded(keys, end, at: now()))
        case .timedOut(let turn): append(.timedOut(turn: turn.number, at: now()))
        case .written(_, let event, let origin, _, let after):
            append(.written(event, origin, after, at: now()))
        case .failed(let error, _): append(.failed(error))
        case .hasReduced, .read: break
        }
    }

    func note(_ fact: WorkFact) { append(.work(fact, at: now())) }

    /// Called when the loop is released.
    func end() {
        contents.withLock { $0.isOver = true }
        buffer.noted(1)
    }

    private func append(_ fact: SystemFact<State, Event>) {
        // Returned, so that a state is not released under the lock.
        let (count, isLost, _) = contents.withLock { contents -> (Int, Bool, ValueBox<State>?) in
            if contents.isClosed { return (0, false, nil) }
            let isFull = contents.facts.count >= contents.capacity
            if !contents.isPaused, !isFull {
                resume(&contents)
                contents.facts.append(NumberedFact(number: buffer.nextNumber(), fact: fact))
                return (contents.facts.count, false, nil)
            }
            var skipped = contents.skipped ?? SkippedFacts()
            let old = skipped.add(fact, isLoss: isFull && !contents.isPaused)
            contents.skipped = skipped
            return (0, isFull && !contents.isPaused, old)
        }
        if count > 0 { buffer.noted(count) }
        if isLost { buffer.lose() }
    }

    private func resume(_ contents: inout Contents) {
        guard let skipped = contents.skipped.take() else { return }
        contents.facts.append(NumberedFact(number: buffer.nextNumber(), fact: .skipped(skipped)))
    }

    // MARK: For the session

    func pause(_ isPaused: Bool) {
        contents.withLock {
            $0.isPaused = isPaused
            if !isPaused { resume(&$0) }
        }
    }

    func close(keepsFacts: Bool) {
        let old = contents.withLock { contents in
            let old = contents
            if !keepsFacts { (contents.facts, contents.skipped) = ([], nil) }
            contents.isClosed = true
            return old
        }
        withExtendedLifetime(old) {}
    }

    // MARK: For the writer

    private let lines: Lock<SystemLines<State, Event>>
    private let taken = Lock<ArraySlice<NumberedFact>>([])

    func take() {
        let capacity = lines.withLock { $0.capacity(for: buffer.memory) }
        let facts = contents.withLock { contents in
            defer { contents.facts = [] }
            contents.capacity = capacity
            return contents.facts
        }
        taken.withLock { $0 = $0.isEmpty ? facts[...] : $0 + facts }
    }

    var nextNumber: Int? { taken.withLock { $0.first?.number } }

    var isNextSkipped: Bool {
        taken.withLock { if case .skipped? = $0.first?.fact { true } else { false } }
    }

    func writeNext(to session: inout SessionLines) {
        guard let next = taken.withLock({ $0.popFirst() }) else { return }
        lines.exclusive.add(next.fact, to: &session)
    }

    func writeRest(to session: inout SessionLines, isLast: Bool) {
        lines.exclusive.writeHeld(to: &session)
        if isLast { lines.exclusive.writeEnd(to: &session) }
    }

    func fullState(_ session: inout SessionLines) -> FullState? {
        isOver ? nil : lines.exclusive.fullState(&session)
    }

    var isOver: Bool { taken.withLock { $0.isEmpty } && contents.withLock { $0.isOver && $0.facts.isEmpty } }
}

extension SkippedFacts {
    /// - Returns: The state that it does not hold any longer.
    fileprivate mutating func add<Event>(
        _ fact: SystemFact<State, Event>, isLoss: Bool
    ) -> ValueBox<State>? {
        facts += 1
        self.isLoss = self.isLoss || isLoss
        switch fact {
        case .begins: turns += 1
        case .attached(let new, _), .shows(let new, _, _): return replaceState(new)
        case .written(_, _, let new, _):
            turns += 1
            return replaceState(new)
        default: break
        }
        return nil
    }

    private mutating func replaceState(_ new: ValueBox<State>) -> ValueBox<State>? {
        defer { state = new }
        return state
    }
}

extension SentEvent {
    fileprivate init<State>(
        _ entry: LoopFact<State, Event>.PendingEvent, by sender: LoopFact<State, Event>.Sender
    ) {
        let sender: Sender =
            switch sender {
            case .outside: .outside
            case .middleware: .middleware
            case .handle: .handle
            case .run(let number): .run(number)
            }
        self.init(
            event: entry.event, policy: entry.policy, origin: entry.origin, sender: sender,
            number: entry.sent?.number ?? 0, at: entry.sent?.at ?? .zero)
    }
}
