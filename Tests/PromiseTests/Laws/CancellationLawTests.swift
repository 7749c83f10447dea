import Promise
import PromisedTesting
import TestSupport
import Testing

/// The laws of `cancel()`, for random promises, cancelled at a random instant.
@Suite(.tags(.noSharedState)) struct CancellationLawTests {
    private static func cancelled(_ fixture: ExpressionFixture) -> Event {
        Event(at: fixture.now, kind: .error, text: ExpressionFixture.cancellation)
    }

    @Test("cancelling is idempotent") func twice() {
        law(seed: 3_000_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            return .unless(
                play(to: instant, { p.promise(on: $0) }) { _, promise, _ in promise.cancel() },
                play(to: instant, { p.promise(on: $0) }) { fixture, promise, _ in
                    for _ in 0..<2 { promise.cancel() }
                    fixture.scheduler.advance(by: .nanoseconds(1))
                    promise.cancel()
                },
                "at \(instant), p = \(p)", ("once ", "twice"))
        }
    }

    @Test("cancelling a settled promise is a no-op for early and late observers")
    func settled() {
        law(seed: 3_010_000) { random in
            let p = random.expression()
            func observe(cancelling: Bool) -> (early: Observed, late: [Event]) {
                var late: [Event] = []
                let early = play {
                    p.promise(on: $0)
                } middle: { fixture, promise, _ in
                    fixture.scheduler.run()
                    if cancelling, promise.result != nil { promise.cancel() }
                    let trace = fixture.trace(promise)
                    fixture.scheduler.run()
                    late = trace.events
                }
                return (early, late)
            }
            let (cancelled, plain) = (observe(cancelling: true), observe(cancelling: false))
            return .unless(cancelled.early, plain.early, "p = \(p)", ("cancelled", "plain    "))
                ?? .unless(cancelled.late, plain.late, "p = \(p)", ("cancelled", "plain    "))
        }
    }

    @Test("an idle promise that is cancelled never starts") func idle() {
        law(seed: 3_020_000) { random in
            let p = random.expression()
            let fixture = ExpressionFixture()
            defer { fixture.end() }
            let promise = fixture.scheduler.runAsCurrent { p.promise(on: fixture) }
            // A promise settled from outside, or from the start, need not be started.
            guard promise.result == nil else { return nil }
            promise.cancel()
            let trace = fixture.trace(promise)
            fixture.scheduler.run()
            // Leading interim values are delivered to every observer.
            let leads = promise.leadingBoxes.map { Event(at: 0, kind: .interim, text: "\($0.value)") }
            let begun = Set(fixture.record.begun.keys).subtracting(fixture.record.outside)
            return .unless(
                trace.events, leads + [Event(at: 0, kind: .error, text: ExpressionFixture.cancellation)],
                "p = \(p)")
                ?? (begun.isEmpty && fixture.record.calls.isEmpty
                    ? nil : Violation("p = \(p)", ("begun all the same", fixture.record)))
        }
    }

    @Test(
        "cancelling a pending promise delivers one outcome, at once, and nothing after it")
    func outcome() {
        law(seed: 3_030_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            var expected: [Event] = []
            let seen = play(to: instant, { p.promise(on: $0) }) { fixture, promise, trace in
                expected = trace.events
                if promise.result == nil { expected.append(Self.cancelled(fixture)) }
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

    @Test("cancelling runs onCancel exactly once for all running work, and for no other")
    func hooks() {
        law(seed: 3_040_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            var expected = ExpressionFixture.Record()
            let seen = play(to: instant, { p.promise(on: $0) }) { fixture, promise, _ in
                expected = fixture.record
                let open = promise.result == nil ? expected.open : []
                promise.cancel()
                for name in open { expected.cancelled[name, default: 0] += 1 }
                // Work settled from outside may be observed or not: cancelled at most once.
                for (name, count) in fixture.record.cancelled where expected.outside.contains(name) {
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

    @Test("onCancel runs at most once, in whatever order promises are cancelled") func hooksOnce() {
        law(seed: 3_050_000) { random in
            let (p, f, instant) = (random.expression(), random.continuation(), random.number(0...6))
            let seen = play(
                to: instant,
                { fixture in
                    let shared = p.promise(on: fixture)
                    let branch = shared.flatMap { try f($0, on: fixture) }
                    _ = branch.recover { _ in shared }.timeout(.nanoseconds(3)).start()
                    return branch
                }
            ) { _, promise, _ in promise.cancel() }
            return seen.record.cancelled.values.allSatisfy { $0 == 1 }
                ? nil : Violation("at \(instant), p = \(p), f = \(f)", ("told", seen))
        }
    }

    @Test(
        "cancelling one branch changes neither what the other receives nor its work")
    func branches() {
        law(seed: 3_060_000) { random in
            let p = random.expression(2)
            let before = random.names
            let f = random.continuation()
            let leftNames = before + 1...random.names
            let (g, instant) = (random.continuation(), random.number(0...6))
            func right(cancelling: Bool) -> Observed {
                let fixture = ExpressionFixture()
                defer { fixture.end() }
                let shared = fixture.scheduler.runAsCurrent { p.promise(on: fixture) }
                let left = shared.flatMap { try f($0, on: fixture) }
                let right = shared.flatMap { try g($0, on: fixture) }
                _ = fixture.trace(left)
                let trace = fixture.trace(right)
                fixture.scheduler.advance(to: .nanoseconds(instant))
                if cancelling { left.cancel() }
                fixture.scheduler.run()
                return Observed(trace: trace.events, record: fixture.record.without(leftNames))
            }
            return .unless(
                right(cancelling: true), right(cancelling: false),
                "at \(instant), p = \(p), left = \(f), right = \(g)", ("cancelled", "let be   "))
        }
    }

    @Test("cancelling both branches, in either order, is like cancelling the shared promise")
    func bothBranches() {
        law(seed: 3_070_000) { random in
            let (p, instant) = (random.expression(), random.number(0...6))
            func cancel(_ pick: (Promise<Int>, Promise<Int>, Promise<Int>) -> [Promise<Int>])
                -> ExpressionFixture.Record
            {
                let fixture = ExpressionFixture()
                defer { fixture.end() }
                let shared = fixture.scheduler.runAsCurrent { p.promise(on: fixture) }
                let (left, right) = (shared.map { $0 }, shared.mapError { $0 })
                let traces = [fixture.trace(left), fixture.trace(right)]
                fixture.scheduler.advance(to: .nanoseconds(instant))
                for promise in pick(shared, left, right) { promise.cancel() }
                fixture.scheduler.run()
                withExtendedLifetime(traces) {}
                return fixture.record
            }
            let (whole, there, back) = (
                cancel { [$0, $1, $2].prefix(1).map { $0 } }, cancel { [$1, $2] }, cancel { [$2, $1] }
            )
            return .unless(there, whole, "at \(instant), p = \(p)", ("left, right", "shared     "))
                ?? .unless(back, whole, "at \(instant), p = \(p)", ("right, left", "shared     "))
        }
    }

    @Test("cancelling p.map(f) cancels the work of p just as cancelling p does") func commutes() {
        law(seed: 3_080_000) { random in
            let (p, f, instant) = (random.expression(), random.function(), random.number(0...6))
            func record(_ make: (ExpressionFixture) -> Promise<Int>) -> ExpressionFixture.Record {
                var record = play(to: instant, make) { _, promise, _ in promise.cancel() }.record
                record.mapped[f.name] = nil
                return record
            }
            return .unless(
                record { fixture in p.promise(on: fixture).map { try f($0, on: fixture) } },
                record { fixture in p.promise(on: fixture) },
                "at \(instant), p = \(p), f = \(f)", ("p.map(f)", "p       "))
        }
    }
}
