public import Promise
public import PromisedSystem
internal import Synchronization

/// Observes the feedbacks of a recorded system and their work.
@usableFromInline
final class RecordedWork: SystemObserver {
    @usableFromInline let notes: any FactReceiver
    private let scheduler: any SerialScheduler
    /// The scheduler, if it decides about the work.
    let host: (any WorkHost)?
    private let lastNumber = Atomic(0)
    private struct AsyncWork: Sendable {
        var count = 0
        var isCancelled = false
    }

    /// By its owner.
    private let asyncWork = Lock<[String: AsyncWork]>([:])
    /// Who has the next run started, if no feedback does.
    private let nextOwner = Lock<String?>(nil)

    @usableFromInline
    init(_ notes: any FactReceiver, on scheduler: any SerialScheduler) {
        (self.notes, self.scheduler, host) = (notes, scheduler, scheduler as? any WorkHost)
    }

    /// The number of a new call, or of new `async` work.
    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    func beginsAsync(of owner: String) { asyncWork.withLock { $0[owner, default: AsyncWork()].count += 1 } }

    /// - Returns: Whether its run was cancelled.
    func endsCancelledAsync(of owner: String) -> Bool {
        asyncWork.withLock { work in
            guard var known = work[owner] else { return false }
            known.count -= 1
            work[owner] = known.count == 0 ? nil : known
            return known.isCancelled
        }
    }

    // MARK: The loop

    @usableFromInline
    func makeProbe<State: Sendable, Event: Sendable>() -> LoopProbe<State, Event> { notes.makeProbe(self) }

    @usableFromInline var transitionScheduler: any SerialScheduler {
        RecordedScheduler(scheduler, self, notes.transition)
    }

    @usableFromInline
    func posts(_ event: any Sendable, from sender: EventPlace, by cause: WriteCause) {
        notes.addPost(event, sender, notes.owner(of: cause))
    }

    @usableFromInline
    func begins(by cause: WriteCause) {
        let owner =
            switch cause {
            case .outside: "outside"
            case .observer: String?.none
            case .work: notes.owner(of: cause)
            }
        nextOwner.exchange(for: owner)
    }

    // MARK: Effects

    @usableFromInline var now: Duration { scheduler.now }

    @usableFromInline func starts(
        _ number: Int, of request: Int, _ place: [EffectKey], from origin: Origin, requestedAt occasion: Int,
        window: Duration?
    ) -> any RunScheduler {
        notes.add(
            .run,
            [
                "run": .number(number), "request": .number(request), "at": .place(origin),
                "key": .key(place[place.count - 1]), "path": .keys(Array(place.dropFirst().dropLast())),
                "by": .optional(nextOwner.exchange(for: nil)), "window": .duration(window),
            ])
        return RecordedScheduler(scheduler, self, "run \(number)")
    }
    @usableFromInline func waits(
        _ request: Int, _ place: [EffectKey], from origin: Origin, window: Duration?
    ) {
        notes.add(
            .wait,
            [
                "request": .number(request), "at": .place(origin), "key": .key(place[place.count - 1]),
                "path": .keys(Array(place.dropFirst().dropLast())), "window": .duration(window),
            ])
    }
    @usableFromInline func timerFired(of request: Int) {
        notes.add(.fire, ["by": .text("loop"), "request": .number(request)])
    }
    @usableFromInline func ended(_ number: Int, _ error: (any Error)?) {
        notes.addRunEnd(number, error)
    }
    @usableFromInline func cancelled(_ number: Int) {
        notes.add(.cancel, ["run": .number(number)])
        asyncWork.withLock { $0["run \(number)"]?.isCancelled = true }
    }

    // MARK: What only an exploration needs

    @usableFromInline var occasion: Int { 0 }
    @usableFromInline func occasion(of payload: any Sendable) -> Int? { nil }
    @usableFromInline func occasion(ofKey key: EffectKey) -> Int? { nil }
    @usableFromInline func evaluates(_ feedback: Int, forEvent: Bool) {}
    @usableFromInline func hasEvaluated() {}
    @usableFromInline func hasStarted() {}
    @usableFromInline func updates(workOf runs: [Int]) {}
    @usableFromInline func broadcasts(from number: Int, to runs: [Int]) {}
}
