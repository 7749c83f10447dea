internal import Promise
internal import PromisedSystem
internal import Synchronization

/// The facts of one system that are not written yet: its loop appends them, and the writer takes them.
final class SystemFacts: Sendable {
    struct NumberedFact: Sendable {
        let number: Int
        let fact: SystemFact
        /// How much work has run since the fact before.
        let works: Int
    }

    private struct Contents: Sendable {
        var facts: [NumberedFact] = []
        /// How many facts are kept; the writer sets it by the size of the states.
        var capacity = 100_000
        var skipped: SkippedFacts?
        var isPaused = false
        var isClosed = false
        /// Whether the loop is released.
        var isOver = false
    }

    private struct Taken: Sendable {
        var facts: ArraySlice<NumberedFact> = []
        var lines: SystemLines
    }

    private let contents = Lock(Contents())
    private let works = Atomic(0)
    private let taken: Lock<Taken>
    private let buffer: FactBuffer

    init(_ buffer: FactBuffer, _ lines: SystemLines) {
        (self.buffer, taken) = (buffer, Lock(Taken(lines: lines)))
    }

    // MARK: For the loop

    private enum Addition {
        case added(count: Int)
        case lost, none
    }

    func append(_ fact: SystemFact) {
        // Replaced under the lock, and released after it.
        var old: (any StateBox)?
        let addition = contents.withLock { contents -> Addition in
            if contents.isClosed { return .none }
            let isFull = contents.facts.count >= contents.capacity
            if !contents.isPaused, !isFull {
                if contents.skipped != nil { resume(&contents) }
                contents.facts.append(numbered(fact))
                return .added(count: contents.facts.count)
            }
            // Changed in place: a copy would take longer with each open work.
            if contents.skipped == nil { contents.skipped = SkippedFacts() }
            old = contents.skipped?.add(fact, isLoss: !contents.isPaused) ?? nil
            return contents.isPaused ? .none : .lost
        }
        switch addition {
        case .added(let count): if count == 1 || count == FactBuffer.crowd { buffer.noted(count) }
        case .lost: buffer.lose()
        case .none: break
        }
        withExtendedLifetime(old) {}
    }

    /// Called when the loop is released.
    func end() {
        contents.withLock { $0.isOver = true }
        buffer.noted(1)
    }

    private func resume(_ contents: inout Contents) {
        guard let skipped = contents.skipped.take() else { return }
        contents.facts.append(numbered(.skipped(skipped)))
    }

    private func numbered(_ fact: SystemFact) -> NumberedFact {
        let works = works.load(ordering: .relaxed) == 0 ? 0 : works.exchange(0, ordering: .relaxed)
        return NumberedFact(number: buffer.nextNumber(), fact: fact, works: works)
    }

    /// Called before work of the system runs.
    func countWork() { works.wrappingAdd(1, ordering: .relaxed) }

    // MARK: For the session

    /// From now on, facts are counted and not kept, or kept again.
    func pause(_ isPaused: Bool) {
        contents.withLock {
            $0.isPaused = isPaused
            if !isPaused { resume(&$0) }
        }
    }

    /// From now on, nothing is kept.
    ///
    /// - Parameter keepsFacts: Whether the noted facts can still be taken.
    func close(keepsFacts: Bool) {
        let old = contents.withLock { contents in
            let old = contents
            if !keepsFacts { (contents.facts, contents.skipped) = ([], nil) }
            contents.isClosed = true
            return old
        }
        let rest = taken.withLock { taken in
            defer { if !keepsFacts { taken.facts = [] } }
            return taken.facts
        }
        withExtendedLifetime((old, rest)) {}
    }

    // MARK: For the writer

    /// Takes over the noted facts.
    func take() {
        // Of the same size as before: to enlarge a list copies it.
        var facts: [NumberedFact] = []
        facts.reserveCapacity(contents.withLock { $0.facts.count })
        contents.withLock { swap(&$0.facts, &facts) }
        taken.withLock { $0.facts = $0.facts.isEmpty ? facts[...] : $0.facts + facts }
    }

    /// Adapts how many facts are kept to the size of the states.
    func adaptCapacity() {
        let capacity = taken.withLock { $0.lines.capacity(for: buffer.memory) }
        contents.withLock { $0.capacity = capacity }
    }

    /// The number of the next fact that was taken.
    var nextNumber: Int? { taken.withLock { $0.facts.first?.number } }

    /// The time of its line; nil if it has none of its own.
    var nextTime: Duration? {
        taken.withLock { taken in taken.facts.first?.fact.time.map { $0 - taken.lines.start } }
    }

    /// Whether that says which facts are missing: then full states follow.
    var isNextSkipped: Bool {
        taken.withLock { if case .skipped? = $0.facts.first?.fact { true } else { false } }
    }

    func writeNext(to session: inout SessionLines) {
        guard let next = taken.withLock({ $0.facts.popFirst() }) else { return }
        session.works = next.works
        taken.exclusive.lines.add(next.fact, to: &session)
    }

    /// The system and its last state, for a line with those of all; nil before it has a line of its own, and after the
    /// turn of its end.
    func fullState(_ session: inout SessionLines) -> FullState? {
        let isPast = isOver && taken.withLock { $0.lines.lastTurn } != session.turn
        return isPast ? nil : taken.exclusive.lines.fullState(&session)
    }

    /// Called when nothing follows.
    func writeEnd(to session: inout SessionLines) { taken.withLock { $0.lines.writeEnd(to: &session) } }

    var isOver: Bool {
        taken.withLock { $0.facts.isEmpty } && contents.withLock { $0.isOver && $0.facts.isEmpty }
    }
}
