internal import Promise
internal import Synchronization

struct FullState {
    let system: RecordedSystem
    let state: CodedValue
}

/// The sources of a session, whose facts have one order.
final class FactBuffer: Sendable {
    private struct Contents: Sendable {
        var sources: [SystemFacts] = []
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

    func add(_ source: SystemFacts) {
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

    func remove(_ source: SystemFacts) { contents.withLock { $0.sources.removeAll { $0 === source } } }

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
            // The facts that are noted are those before a pause, and those after the marker of its end.
            if isPaused { for source in contents.sources { source.pause(true) } }
            contents.markers.append((nextNumber(), isPaused ? .pause : .resume))
            if !isPaused { for source in contents.sources { source.pause(false) } }
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
    func take() -> (sources: [SystemFacts], markers: [(number: Int, kind: RecordedFact.Kind)], upTo: Int) {
        isWakeUpPending.store(false, ordering: .sequentiallyConsistent)
        let taken = contents.withLock { contents in
            defer { contents.markers = [] }
            return (contents.sources, contents.markers, lastNumber.load(ordering: .sequentiallyConsistent))
        }
        for source in taken.0 { source.take() }
        return taken
    }
}
