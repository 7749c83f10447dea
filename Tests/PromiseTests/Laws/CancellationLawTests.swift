import Promise
import PromisedTesting
import Testing

/// The laws of `cancel()`, for random promises, cancelled at a random instant.
@Suite struct CancellationLawTests {
    private static func cancelled(_ stage: Stage) -> Event {
        Event(at: stage.now, kind: .error, text: Stage.cancellation)
    }

    @Test("DESIGN 3: cancelling is idempotent") func twice() {
        law(seed: 3_000_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            return .unless(
                play(to: instant, { p.promise(on: $0) }) { _, promise, _ in promise.cancel() },
                play(to: instant, { p.promise(on: $0) }) { stage, promise, _ in
                    for _ in 0..<2 { promise.cancel() }
                    stage.scheduler.advance(by: .nanoseconds(1))
                    promise.cancel()
                },
                "at \(instant), p = \(p)", ("once ", "twice"))
        }
    }

    @Test("DESIGN 3: cancelling a settled promise is a no-op for early and late observers")
    func settled() {
        law(seed: 3_010_000) { random in
            let p = random.expression()
            func observe(cancelling: Bool) -> (early: Observed, late: [Event]) {
                var late: [Event] = []
                let early = play {
                    p.promise(on: $0)
                } middle: { stage, promise, _ in
                    stage.scheduler.run()
                    if cancelling, promise.result != nil { promise.cancel() }
                    let trace = stage.trace(promise)
                    stage.scheduler.run()
                    late = trace.events
                }
                return (early, late)
            }
            let (cancelled, plain) = (observe(cancelling: true), observe(cancelling: false))
            return .unless(cancelled.early, plain.early, "p = \(p)", ("cancelled", "plain    "))
                ?? .unless(cancelled.late, plain.late, "p = \(p)", ("cancelled", "plain    "))
        }
    }

    @Test("DESIGN 3: an idle promise that is cancelled never starts") func idle() {
        law(seed: 3_020_000) { random in
            let p = random.expression()
            let stage = Stage()
            defer { stage.end() }
            let promise = stage.scheduler.runAsCurrent { p.promise(on: stage) }
            // A promise settled from outside, or from the start, need not be started.
            guard promise.result == nil else { return nil }
            promise.cancel()
            let trace = stage.trace(promise)
            stage.scheduler.run()
            // Leading interim values are delivered to every observer.
            let leads = promise.leadingBoxes.map { Event(at: 0, kind: .interim, text: "\($0.value)") }
            let begun = Set(stage.record.begun.keys).subtracting(stage.record.outside)
            return .unless(
                trace.events, leads + [Event(at: 0, kind: .error, text: Stage.cancellation)], "p = \(p)")
                ?? (begun.isEmpty && stage.record.calls.isEmpty
                    ? nil : Violation("p = \(p)", ("begun all the same", stage.record)))
        }
    }

    @Test(
        "DESIGN 3: cancelling a pending promise delivers one outcome, at once, and nothing after it")
    func outcome() {
        law(seed: 3_030_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            var expected: [Event] = []
            let seen = play(to: instant, { p.promise(on: $0) }) { stage, promise, trace in
                expected = trace.events
                if promise.result == nil { expected.append(Self.cancelled(stage)) }
                promise.cancel()
            }
            let plain = play { p.promise(on: $0) }
            let before = plain.trace.filter { $0.at <= instant }
            return .unless(seen.trace, expected, "at \(instant), p = \(p)", ("heard   ", "expected"))
                ?? .unless(
                    Array(expected.prefix(before.count)), before, "at \(instant), p = \(p)",
                    ("cancelled  ", "else before"))
        }
    }

    @Test("DESIGN 3: cancelling runs onCancel exactly once for all running work, and for no other")
    func hooks() {
        law(seed: 3_040_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            var expected = Stage.Record()
            let seen = play(to: instant, { p.promise(on: $0) }) { stage, promise, _ in
                expected = stage.record
                let open = promise.result == nil ? expected.open : []
                promise.cancel()
                for name in open { expected.cancelled[name, default: 0] += 1 }
                // Work settled from outside may be observed or not: cancelled at most once.
                for (name, count) in stage.record.cancelled where expected.outside.contains(name) {
                    expected.cancelled[name] = min(count, 1)
                }
            }
            return .unless(
                seen.record.cancelled, expected.cancelled, "at \(instant), p = \(p)", ("told    ", "expected")
            )
                ?? .unless(
                    seen.record.begun, expected.begun, "at \(instant), p = \(p)", ("begun ", "before"))
        }
    }

    @Test("DESIGN 3: onCancel runs at most once, in whatever order promises are cancelled") func hooksOnce() {
        law(seed: 3_050_000) { random in
            let (p, f, instant) = (random.expression(), random.continuation(), random.number(0...6))
            let seen = play(
                to: instant,
                { stage in
                    let shared = p.promise(on: stage)
                    let branch = shared.flatMap { try f($0, on: stage) }
                    _ = branch.recover { _ in shared }.timeout(.nanoseconds(3)).start()
                    return branch
                }
            ) { _, promise, _ in promise.cancel() }
            return seen.record.cancelled.values.allSatisfy { $0 == 1 }
                ? nil : Violation("at \(instant), p = \(p), f = \(f)", ("told", seen))
        }
    }

    @Test(
        "DESIGN 3: cancelling one branch changes neither what the other receives nor its work")
    func branches() {
        law(seed: 3_060_000) { random in
            let p = random.expression(2)
            let before = random.names
            let f = random.continuation()
            let leftNames = before + 1...random.names
            let (g, instant) = (random.continuation(), random.number(0...6))
            func right(cancelling: Bool) -> Observed {
                let stage = Stage()
                defer { stage.end() }
                let shared = stage.scheduler.runAsCurrent { p.promise(on: stage) }
                let left = shared.flatMap { try f($0, on: stage) }
                let right = shared.flatMap { try g($0, on: stage) }
                _ = stage.trace(left)
                let trace = stage.trace(right)
                stage.scheduler.advance(to: .nanoseconds(instant))
                if cancelling { left.cancel() }
                stage.scheduler.run()
                return Observed(trace: trace.events, record: stage.record.without(leftNames))
            }
            return .unless(
                right(cancelling: true), right(cancelling: false),
                "at \(instant), p = \(p), left = \(f), right = \(g)", ("cancelled", "let be   "))
        }
    }

    @Test("DESIGN 3: cancelling both branches, in either order, is like cancelling the shared promise")
    func bothBranches() {
        law(seed: 3_070_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            func cancel(_ pick: (Promise<Int>, Promise<Int>, Promise<Int>) -> [Promise<Int>]) -> Stage.Record
            {
                let stage = Stage()
                defer { stage.end() }
                let shared = stage.scheduler.runAsCurrent { p.promise(on: stage) }
                let (left, right) = (shared.map { $0 }, shared.mapError { $0 })
                let traces = [stage.trace(left), stage.trace(right)]
                stage.scheduler.advance(to: .nanoseconds(instant))
                for promise in pick(shared, left, right) { promise.cancel() }
                stage.scheduler.run()
                withExtendedLifetime(traces) {}
                return stage.record
            }
            let (whole, there, back) = (
                cancel { [$0, $1, $2].prefix(1).map { $0 } }, cancel { [$1, $2] }, cancel { [$2, $1] }
            )
            return .unless(there, whole, "at \(instant), p = \(p)", ("left, right", "shared     "))
                ?? .unless(back, whole, "at \(instant), p = \(p)", ("right, left", "shared     "))
        }
    }

    @Test("DESIGN 3: cancelling p.map(f) cancels the work of p just as cancelling p does") func commutes() {
        law(seed: 3_080_000) { random in
            let (p, f, instant) = (random.expression(), random.function(), random.number(0...6))
            func record(_ make: (Stage) -> Promise<Int>) -> Stage.Record {
                var record = play(to: instant, make) { _, promise, _ in promise.cancel() }.record
                record.mapped[f.name] = nil
                return record
            }
            return .unless(
                record { stage in p.promise(on: stage).map { try f($0, on: stage) } },
                record { stage in p.promise(on: stage) },
                "at \(instant), p = \(p), f = \(f)", ("p.map(f)", "p       "))
        }
    }
}
