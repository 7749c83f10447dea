internal import Promise
internal import Synchronization

/// The facts of one system that are not written yet.
protocol FactSource: AnyObject, Sendable {
    /// From now on, facts are counted and not kept, or kept again.
    func pause(_ isPaused: Bool)
    /// From now on, nothing is kept.
    ///
    /// - Parameter keepsFacts: Whether what was noted before can still be taken.
    func close(keepsFacts: Bool)

    // MARK: For the writer

    /// Takes over what was noted.
    func take()
    /// The number of the next fact that was taken.
    var nextNumber: Int? { get }
    /// Whether that says which facts are missing: then full states follow.
    var isNextSkipped: Bool { get }
    func writeNext(to session: inout SessionLines)
    /// Writes what was kept back because it might have been joined with the next fact.
    ///
    /// - Parameter isLast: Whether no fact follows.
    func writeRest(to session: inout SessionLines, isLast: Bool)
    /// The system and its last state, for a line with those of all; nil before it has a line of its own, and at the end.
    func fullState(_ session: inout SessionLines) -> FullState?
    var isOver: Bool { get }
}

struct FullState {
    let system: RecordedSystem
    let state: CodedValue
}

/// The sources of a session, whose facts have one order.
final class FactBuffer: Sendable {
    private struct Contents: Sendable {
        var sources: [any FactSource] = []
        var markers: [(number: Int, kind: RecordedFact.Kind)] = []
        var isPaused = false
        var isClosed = false
    }

    private let contents = Lock(Contents())
    private let lastNumber = Atomic(0)
    private let lostCount = Atomic(0)
    private let isWakeUpPending = Atomic(false)
    private let wakeUp: @Sendable (FactBuffer, _ delay: Duration) -> Void

    /// Facts of a source with which the writer is woken up before its interval is over.
    static let crowd = 2_000

    /// How many bytes the states of a source may take, about.
    let memory: Int

    /// - Parameter wakeUp: Called to have the facts written after a delay.
    init(memory: Int, wakeUp: @escaping @Sendable (FactBuffer, _ delay: Duration) -> Void) {
        (self.memory, self.wakeUp) = (memory, wakeUp)
    }

    var lost: Int { lostCount.load(ordering: .relaxed) }
    func lose() { lostCount.wrappingAdd(1, ordering: .relaxed) }

    /// The number of a new fact: called by a source, under its lock.
    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    func add(_ source: any FactSource) {
        contents.withLock {
            $0.sources.append(source)
            if $0.isPaused { source.pause(true) }
            if $0.isClosed { source.close(keepsFacts: false) }
        }
    }

    func removeAll() {
        withExtendedLifetime(
            contents.withLock { contents in
                defer { contents.sources = [] }
                return contents.sources
            }
        ) {}
    }

    func remove(_ source: any FactSource) { contents.withLock { $0.sources.removeAll { $0 === source } } }

    /// Called after a fact was noted, with the number of those of its source.
    func noted(_ count: Int) {
        if count == 1, !isWakeUpPending.exchange(true, ordering: .acquiringAndReleasing) {
            wakeUp(self, .milliseconds(200))
        } else if count == Self.crowd {
            wakeUp(self, .zero)
        }
    }

    func pause(_ isPaused: Bool) {
        let isChanged = contents.withLock { contents in
            guard contents.isPaused != isPaused else { return false }
            contents.isPaused = isPaused
            contents.markers.append((nextNumber(), isPaused ? .pause : .resume))
            for source in contents.sources { source.pause(isPaused) }
            return true
        }
        if isChanged { wakeUp(self, .milliseconds(200)) }
    }

    func close(keepsFacts: Bool) {
        let sources = contents.withLock { contents in
            contents.isClosed = true
            return contents.sources
        }
        for source in sources { source.close(keepsFacts: keepsFacts) }
    }

    // MARK: For the writer

    /// Takes all facts that were noted: those up to the returned number, and perhaps later ones.
    func take() -> (sources: [any FactSource], markers: [(number: Int, kind: RecordedFact.Kind)], upTo: Int) {
        isWakeUpPending.store(false, ordering: .sequentiallyConsistent)
        let taken = contents.withLock { contents in
            defer { contents.markers = [] }
            return (contents.sources, contents.markers, lastNumber.load(ordering: .sequentiallyConsistent))
        }
        for source in taken.0 { source.take() }
        return taken
    }
}
