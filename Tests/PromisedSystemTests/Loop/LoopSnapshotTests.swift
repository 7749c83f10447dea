import Promise
import Testing

@testable import PromisedSystem

/// Compares the stored properties of a loop with a list, so that a new one can't be forgotten in a snapshot: a property
/// that determines what the loop does next and is missing there would let an exploration take two configurations for
/// one.
@Suite struct LoopSnapshotTests {
    @Test func machine() {
        expectListed(
            LoopMachine<Int, Int>(cascadeLimit: 5),
            [
                "turn": "turn",
                "lastNumber": "only tells turns apart",
                "cascadeLimit": "never changes",
                "arrived": "empty when nobody drains",
                "replacing": "waiting, on the line replacing",
                "behind": "waiting, on the line behind",
                "behindTurn": "waiting, on the line behind",
                "waiting": "waiting, on the line queue",
                "waitingUnlessBusy": "waiting.dropsOthers",
                "rateLimiter": "waiting, on the line debounced, and windows",
                "isObserved": "true, as it is explored",
                "admitsEach": "true, as it is explored",
            ])
    }

    @Test func turn() {
        expectListed(
            LoopMachine<Int, Int>(cascadeLimit: 5).makeTurnOfTest(),
            [
                "number": "only tells turns apart",
                "event": "turn.events, as middleware passed it on; else the work of the turn has it",
                "place": "for reports",
                "sent": "for reports",
                "cascadeDepth": "turn.cascadeDepth",
                "startedAt": "for reports",
            ])
    }

    @Test func entry() {
        expectListed(
            LoopMachine<Int, Int>.PendingEvent(
                event: 1, policy: .queue, origin: Origin(place: 0)),
            [
                "event": "waiting.event",
                "policy": "was applied on arrival: waiting.line and traits",
                "place": "for reports",
                "sent": "for reports",
                "cascadeDepth": "waiting.cascadeDepth",
                "run": "waiting.run and traits",
            ])
    }

    @Test func rateLimiter() {
        expectListed(
            EventRateLimiter<Int>(),
            [
                "limiters": "waiting, on the line debounced, and windows",
                "isUsed": "whether there may be limiters",
                "orderedCount": "waiting.traits",
                "lastNumber": "only tells debounced events apart",
                "sweepThreshold": "when memory is released",
            ])
    }

    @Test func progress() {
        expectListed(
            Loop<Int, Int>.Progress(),
            [
                "before": "follows from settled; read by observers",
                "shown": "for observers",
                "hasShownInterim": "interim",
                "replaced": "nil when nobody drains",
                "sent": "turn.events",
                "passed": "turn.events",
                "isInMiddleware": "false when nobody drains",
                "hasMissedPart": "for reports",
                "isAnswered": "for reports",
                "missedBefore": "for reports",
                "cascadeDepth": "zero when nobody drains",
                "idleCount": "turn.cascadeDepth",
                "idleCountAtTurn": "turn.cascadeDepth",
                "delayTimers": "waiting.timer",
                "hold": "isControlled, which is a gap",
            ])
    }

    @Test func slot() {
        expectListed(
            EffectRegistry.EffectSlot(),
            [
                "revision": "slots.revision and slots.isAskedFor",
                "runs": "slots.runs",
                "ended": "slots.ended",
                "wait": "slots.waiting, debounced and windowEnd",
            ])
    }

    @Test func wait() {
        expectListed(
            EffectRegistry.Wait(),
            [
                "requests": "slots.waiting",
                "limiter": "slots.debounced, timer and windowEnd",
                "windowOpener": "slots.windowOpener",
            ])
    }

    @Test func limiter() {
        expectListed(
            RateLimiter<Int>(),
            [
                "waiting": "slots.debounced and nextWindow; of events, waiting and its nextWindow",
                "windowEnd": "slots.windowEnd; of events, windows",
            ])
    }

    @Test func registry() {
        expectListed(
            EffectRegistry(feedbacks: 1),
            [
                "slots": "slots",
                "free": "only which number a new element gets; slots.path tells elements apart",
                "lastNumber": "only tells requests and runs apart",
                "sweepAt": "when memory is released",
            ])
    }

    /// - Parameter list: For each property of `value`, where a snapshot has it, or why it is not part of a
    /// configuration.
    private func expectListed(
        _ value: some Any, _ list: [String: String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let properties = Mirror(reflecting: value).children.compactMap(\.label)
        #expect(properties.sorted() == list.keys.sorted(), sourceLocation: sourceLocation)
    }
}

extension LoopMachine<Int, Int> {
    fileprivate func makeTurnOfTest() -> Turn {
        var machine = self
        return machine.makeTurn(1, 0, nil)
    }
}
