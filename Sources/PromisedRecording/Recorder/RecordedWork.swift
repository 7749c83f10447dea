internal import Promise
internal import PromisedSystem
internal import Synchronization

/// Notes the feedbacks of a recorded system and their work.
final class RecordedWork: SystemObserver {
    private struct Note: Sendable {
        let add: @Sendable (WorkFact) -> Void
    }

    private let recorder: SessionRecorder
    private let name: String
    private let scheduler: any SerialScheduler
    private let note = Lock<Note?>(nil)
    /// The number of the turn whose transition is in flight.
    private let turn = Atomic(0)
    private let lastNumber = Atomic(0)

    init(_ recorder: SessionRecorder, _ name: String, on scheduler: any SerialScheduler) {
        (self.recorder, self.name, self.scheduler) = (recorder, name, scheduler)
    }

    func add(_ fact: WorkFact) { note.withLock { $0 }?.add(fact) }

    /// The number of a new call, or of new `async` work.
    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    // MARK: The loop

    func makeProbe<State: Sendable, Event: Sendable>() -> LoopProbe<State, Event> {
        let facts = SystemFacts<State, Event>(
            recorder.buffer, name, start: recorder.clock.start(on: scheduler),
            { [scheduler] in scheduler.now })
        recorder.buffer.add(facts)
        note.exchange(for: Note { facts.note($0) })
        let lifetime = LoopLifetime(recorder) { facts.end() }
        return LoopProbe(self) { [unowned self] fact in
            if case .pends(let turn) = fact { self.turn.store(turn.number, ordering: .relaxed) }
            lifetime.use { facts.note(fact) }
        }
    }

    /// Exists as long as the loop, and lets the recorder exist as long.
    private final class LoopLifetime: Sendable {
        private let recorder: SessionRecorder
        private let end: @Sendable () -> Void

        init(_ recorder: SessionRecorder, end: @escaping @Sendable () -> Void) {
            (self.recorder, self.end) = (recorder, end)
        }

        deinit { end() }

        func use(_ body: () -> Void) { body() }
    }

    var transitionScheduler: any SerialScheduler {
        RecordedScheduler(scheduler, self, .turn(turn.load(ordering: .relaxed)))
    }

    // MARK: Effects

    var now: Duration { scheduler.now }

    func starts(
        _ number: Int, of request: Int, _ place: [EffectKey], from origin: Origin, requestedAt occasion: Int
    ) -> any RunScheduler {
        add(.starts(run: number, request: request, place: place, origin))
        return RecordedScheduler(scheduler, self, .run(number))
    }
    func waits(_ request: Int, _ place: [EffectKey], from origin: Origin) {
        add(.waits(request: request, place: place, origin))
    }
    func timerFired(of request: Int) { add(.delayEnded(request: request)) }
    func ended(_ number: Int, _ error: (any Error)?) { add(.ended(run: number, error)) }
    func cancelled(_ number: Int) { add(.cancelled(run: number)) }

    // MARK: What only an exploration needs

    var occasion: Int { 0 }
    func occasion(of payload: any Sendable) -> Int? { nil }
    func evaluates(_ feedback: Int, forEvent: Bool) {}
    func hasEvaluated() {}
    func hasStarted() {}
    func updates(workOf runs: [Int]) {}
    func broadcasts(from number: Int, to runs: [Int]) {}
}
