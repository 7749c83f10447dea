package import Promise
package import PromisedSystem
internal import PromisedTesting
internal import Synchronization

/// Memory beside the states of the systems of a world, and the effects of these systems without a memory.
///
/// The tasks of models are such effects: asynchronous functions, whose local variables follow from what they were
/// started with, the answers that they were given, and the states that they found.
package struct OutsideMemory: Sendable {
    /// The state that an asynchronous function may read whenever it continues.
    let state: @Sendable () -> any Sendable
    /// The memory beside it; nil if that cannot be compared.
    let values: @Sendable () -> (any Sendable)?
    /// The keys of effects that wait for the next element of a sequence, and remember none; and of those that handle
    /// an element while others may be waiting.
    let sequences: @Sendable () -> Sequences

    package typealias Sequences = (waiting: [EffectKey: Origin], busy: Set<EffectKey>)

    package init(
        state: @escaping @Sendable () -> any Sendable, values: @escaping @Sendable () -> (any Sendable)?,
        sequences: @escaping @Sendable () -> Sequences
    ) {
        (self.state, self.values, self.sequences) = (state, values, sequences)
    }
}

extension PathRecord {
    var hasMemories: Bool { usesMemories.load(ordering: .relaxed) }

    /// Runs a closure, and everything that is begun in it has this cause.
    func causing(_ cause: Int, _ body: () -> Void) {
        let before = content.withLock { content in
            defer { content.cause = cause }
            return content.cause
        }
        body()
        content.withLock { $0.cause = before }
    }

    /// The cause of work started now: a history, of the whole path if nothing less is known.
    private var cause: Int { content.withLock { $0.cause ?? $0.path } }

    /// Notes that a piece of asynchronous work resumes: it may read the states.
    func continues(_ work: WorkItem) {
        let memories = content.withLock { $0.memories }
        guard let numbers = findings.numbers else { return }
        for memory in memories { work.learn(.states, numbers.number(ofAny: memory.state()) {}) }
    }

    /// Notes that something lets a piece of asynchronous work go on.
    func resumes(_ work: WorkItem) {
        let cause = cause
        if cause != work.history { work.learn(.shared, cause) }
    }

    /// The input of an effect that models start outside the turns of their store.
    func occasionOutsideTurns(of system: SystemRecord) -> Int? {
        hasMemories && !system.isExplored ? PathHistory.adding(.shared, cause) : nil
    }

    /// Has the work that handles sequences remember nothing while it waits, and everything while it is busy.
    func noteSequences() {
        guard hasMemories else { return }
        let memories = content.withLock { $0.memories }
        var found: [(work: WorkItem, origin: Origin)] = []
        for (waiting, busy) in memories.map({ $0.sequences() }) where !(waiting.isEmpty && busy.isEmpty) {
            for (system, record) in systems {
                for slot in system.snapshot?.slots ?? [] {
                    for run in slot.runs.compactMap({ record.run($0) }) {
                        if let origin = waiting[slot.key] {
                            run.forget()
                            found.append((run, origin))
                        } else if busy.contains(slot.key) {
                            run.followPath()
                        }
                    }
                }
            }
        }
        content.withLock { [found] in $0.waiting = found }
    }

    /// Whether a piece of work waits for the next element of a sequence of a model, which is no open end.
    func isWaiting(_ work: WorkItem) -> Bool { content.withLock { $0.waiting.contains { $0.work === work } } }

    /// Without the origins of the work that waits in this way.
    func withoutWaiting(_ origins: [Origin]) -> [Origin] {
        var left = origins
        for (_, origin) in content.withLock({ $0.waiting }) {
            if let place = left.firstIndex(of: origin) { left.remove(at: place) }
        }
        return left
    }
}
