import Promise
import PromisedTesting
import TestSupport
import Testing

/// The laws of `race`, `any` and `allSettled`, for random members.
///
/// As for `zip`, the order of steps at the start depends on the depth of each member. Where a law reorders
/// members, it is exact for everything after the start; for the start it compares the steps without their
/// order, and for a race decided at the start only that it is decided.
@Suite(.tags(.noSharedState)) struct RaceLawTests {
    private static func unordered(_ observed: Observed) -> Observed {
        if let outcome = observed.outcome, outcome.at == 0 {
            return Observed(trace: [], record: ExpressionFixture.Record())
        }
        let start = observed.trace.filter { $0.at == 0 }.sorted { $0.text < $1.text }
        return Observed(trace: start + observed.trace.filter { $0.at > 0 }, record: observed.record)
    }

    private static func members(
        _ random: inout RandomExpressions, _ range: ClosedRange<Int>,
        _ change: (Expression, inout RandomExpressions) -> Expression = { expression, _ in expression }
    ) -> [Expression] {
        (0..<random.number(range)).map { _ in change(random.expression(2), &random) }
    }

    /// Fulfilled, or never settled.
    private static func recovering(_ expression: Expression, _ random: inout RandomExpressions)
        -> Expression
    {
        .mapErrorRecover(expression, random.number(0...99))
    }

    /// Rejected, or never settled.
    private static func failing(_ expression: Expression, _ random: inout RandomExpressions) -> Expression {
        .flatMap(expression, Continuation(name: random.name(), kind: .throw(random.errorName())))
    }

    private static func never(_ random: inout RandomExpressions) -> Expression {
        .body(Work(name: random.name(), reports: [], end: .never, after: nil))
    }

    /// The outcome of each member when run alone.
    private static func alone(_ members: [Expression]) -> [Event?] {
        members.map { member in play { fixture in member.promise(on: fixture) }.outcome }
    }

    private static func race(_ members: [Expression]) -> Observed {
        play { fixture in Promise<Int>.race(members.map { $0.promise(on: fixture) }) }
    }

    private static func any(_ members: [Expression]) -> Observed {
        play { fixture in Promise<Int>.any(members.map { $0.promise(on: fixture) }) }
    }
}

// MARK: - race

extension RaceLawTests {
    @Test("a race of one member equals that member, interim values included") func raceOfOne() {
        law(seed: 5_000_000) { random in
            let p = random.expression()
            return .unless(Self.race([p]), play { fixture in p.promise(on: fixture) }, "p = \(p)")
        }
    }

    @Test("a race has the first outcome, at its time") func earliest() {
        law(seed: 5_010_000, longest: neverTogether) { random in
            let members = Self.members(&random, 1...4)
            let alone = Self.alone(members)
            let outcome = Self.race(members).outcome
            let first = alone.compactMap { $0?.at }.min()
            let possible = alone.filter { $0?.at == first }
            return possible.contains { $0 == outcome }
                ? nil : Violation("\(members)", ("alone", alone), ("race ", outcome as Any))
        }
    }

    @Test(
        "race(race(a, b), c), race(a, race(b, c)) and race(a, b, c) agree, interim values included"
    )
    func raceAssociativity() {
        law(seed: 5_020_000, longest: neverTogether) { random in
            let members = Self.members(&random, 3...3)
            func observe(_ race: @escaping ([Promise<Int>]) -> Promise<Int>) -> Observed {
                Self.unordered(play { fixture in race(members.map { $0.promise(on: fixture) }) })
            }
            let flat = observe { .race($0) }
            let left = observe { .race([.race([$0[0], $0[1]]), $0[2]]) }
            let right = observe { .race([$0[0], .race([$0[1], $0[2]])]) }
            return .unless(left, flat, "\(members)", ("race(race(a, b), c)", "race(a, b, c)      "))
                ?? .unless(right, flat, "\(members)", ("race(a, race(b, c))", "race(a, b, c)      "))
        }
    }

    @Test("race(a, b) is race(b, a)") func raceSymmetry() {
        law(seed: 5_030_000, longest: neverTogether) { random in
            let members = Self.members(&random, 2...4)
            return .unless(
                Self.unordered(Self.race(members)), Self.unordered(Self.race(members.reversed())),
                "\(members)")
        }
    }

    @Test("a member that never settles has no effect, and is cancelled once by the decision")
    func raceWithNever() {
        law(seed: 5_040_000, longest: neverTogether) { random in
            let members = Self.members(&random, 1...3)
            let (never, place) = (Self.never(&random), random.number(0...members.count))
            guard case .body(let work) = never else { return nil }
            var with = Self.race(Array(members[..<place]) + [never] + members[place...])
            let without = Self.race(members)
            let text = "\(members), never at \(place)"
            let told = with.record.cancelled.removeValue(forKey: work.name) ?? 0
            let begun = with.record.begun.removeValue(forKey: work.name) != nil
            return .unless(Self.unordered(with), Self.unordered(without), text, ("with   ", "without"))
                ?? .unless(told, with.outcome != nil && begun ? 1 : 0, text, ("told    ", "expected"))
        }
    }

    @Test(
        "a decided race or any leaves no unobserved work running, and cancels each member once",
        arguments: [false, true])
    func losers(_ isAny: Bool) {
        law(seed: isAny ? 5_060_000 : 5_050_000) { random in
            let members = Self.members(&random, 1...4)
            var violation: Violation?
            let seen = play { fixture in
                let promises = members.map { $0.promise(on: fixture) }
                return isAny ? Promise<Int>.any(promises) : Promise<Int>.race(promises)
            } middle: { fixture, promise, _ in
                while promise.result == nil, fixture.scheduler.pendingCount > 0 {
                    fixture.scheduler.advance(by: .nanoseconds(1))
                }
                guard let result = promise.result, !fixture.record.open.isEmpty else { return }
                violation = Violation("\(members)", ("settled", result), ("and yet", fixture.record))
            }
            let isOnce = seen.record.cancelled.values.allSatisfy { $0 == 1 }
            return violation ?? (isOnce ? nil : Violation("\(members)", ("told", seen)))
        }
    }

    @Test("a loser with other observers is not cancelled", arguments: [false, true])
    func sharedLoser(_ isAny: Bool) {
        law(seed: isAny ? 5_080_000 : 5_070_000) { random in
            let (shared, others) = (random.expression(), Self.members(&random, 1...3))
            let alone = play { fixture in shared.promise(on: fixture) }
            let seen = play {
                shared.promise(on: $0)
            } middle: { fixture, promise, _ in
                let promises = others.map { $0.promise(on: fixture) } + [promise]
                _ = fixture.trace(isAny ? Promise<Int>.any(promises) : Promise<Int>.race(promises))
            }
            return .unless(seen.trace, alone.trace, "shared = \(shared), \(others)", ("raced", "alone"))
        }
    }

    @Test(
        "cancelling a race or any cancels all running work, once each", arguments: [false, true])
    func raceCancelled(_ isAny: Bool) {
        law(seed: isAny ? 5_100_000 : 5_090_000) { random in
            let (members, instant) = (Self.members(&random, 1...4), random.number(0...6))
            let seen = play(to: instant) { fixture in
                let promises = members.map { $0.promise(on: fixture) }
                return isAny ? Promise<Int>.any(promises) : Promise<Int>.race(promises)
            } middle: { _, promise, _ in
                promise.cancel()
            }
            let open = seen.record.open
            let isOnce = seen.record.cancelled.values.allSatisfy { $0 == 1 }
            return open.isEmpty && isOnce
                ? nil : Violation("at \(instant), \(members)", ("open", open), ("seen", seen))
        }
    }
}

// MARK: - any

extension RaceLawTests {
    @Test("any of members that do not fail equals their race, interim values included")
    func anyIsRace() {
        law(seed: 5_110_000) { random in
            let members = Self.members(&random, 1...4, Self.recovering)
            return .unless(Self.any(members), Self.race(members), "\(members)", ("any ", "race"))
        }
    }

    @Test("any has the first value in time, otherwise all errors in member order")
    func anyModel() {
        law(seed: 5_120_000, longest: neverTogether) { random in
            let members = Self.members(&random, 1...4) { member, random in
                random.chance(50) ? Self.failing(member, &random) : member
            }
            let alone = Self.alone(members)
            let outcome = Self.any(members).outcome
            let values = alone.filter { $0?.kind == .value }
            var possible: [Event?] = values.filter { $0?.at == values.compactMap { $0?.at }.min() }
            if values.isEmpty, alone.contains(nil) {
                possible = [nil]
            } else if values.isEmpty {
                let errors = alone.map { Boom($0?.text ?? "") }
                possible = [
                    Event(
                        at: alone.compactMap { $0?.at }.max() ?? 0, kind: .error,
                        text: "\(PromiseError.noneFulfilled(errors))")
                ]
            }
            return possible.contains { $0 == outcome }
                ? nil : Violation("\(members)", ("alone", alone), ("any  ", outcome as Any))
        }
    }

    @Test("race and any without members are rejected at once") func empty() {
        for promise in [Promise<Int>.race([]), .any([])] {
            #expect(promise.traced().lines == ["!\(PromiseError.empty)"])
        }
    }
}

// MARK: - allSettled

extension RaceLawTests {
    private static func text(_ result: Result<Int, any Error>) -> String {
        switch result {
        case .success(let value): "\(value)"
        case .failure(let error): "!\(error)"
        }
    }

    @Test(
        "allSettled is never rejected, and has the outcome of each member when the last settles"
    )
    func allSettledModel() {
        law(seed: 5_130_000) { random in
            let members = Self.members(&random, 0...4)
            let alone = Self.alone(members)
            let seen = play { fixture in
                Promise<Int>.allSettled(members.map { $0.promise(on: fixture) })
                    .map { $0.map(Self.text).joined(separator: "|") }
            }
            let texts = alone.compactMap { $0 }.map { ($0.kind == .error ? "!" : "") + $0.text }
            let last = Event(
                at: alone.compactMap { $0?.at }.max() ?? 0, kind: .value,
                text: texts.joined(separator: "|"))
            let work = members.reduce(into: ExpressionFixture.Record()) { work, member in
                let record = play { fixture in member.promise(on: fixture) }.record
                work.begun.merge(record.begun) { $0 + $1 }
                work.cancelled.merge(record.cancelled) { $0 + $1 }
            }
            return .unless(
                seen.trace, alone.contains(nil) ? [] : [last], "\(members)", ("together", "alone   "))
                ?? .unless(seen.record.begun, work.begun, "\(members)", ("begun", "alone"))
                ?? .unless(seen.record.cancelled, work.cancelled, "\(members)", ("told ", "alone"))
        }
    }

    @Test("with members that do not fail, allSettled equals parallel") func allSettledIsParallel() {
        law(seed: 5_140_000) { random in
            let members = Self.members(&random, 0...4, Self.recovering)
            return .unless(
                play { fixture in
                    Promise<Int>.allSettled(members.map { $0.promise(on: fixture) })
                        .map { try $0.map { try $0.get() } }
                },
                play { fixture in Promise<Int>.parallel(members.map { $0.promise(on: fixture) }) },
                "\(members)",
                ("allSettled", "parallel  "))
        }
    }
}
