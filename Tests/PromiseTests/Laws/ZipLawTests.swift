import Promise
import PromisedTesting
import TestSupport
import Testing

/// The laws of `zip` and `parallel`, for random members.
///
/// Members that fail at the same instant fail in an order that depends on the depth of each, and the first
/// failure may come before another member's work has begun. Where a law reorders members, it is therefore
/// exact for everything after the start, with steps so long that no two coincide; for the start it compares
/// only whether and when it fails.
@Suite(.tags(.noSharedState)) struct ZipLawTests {
    private static func zipped(_ a: Promise<Int>, _ b: Promise<Int>) -> Promise<[Int]> {
        Promise<(Int, Int)>.zip(a, b).map { [$0, $1] }
    }

    /// Removes what depends on the order of steps at the start.
    private static func unordered(_ observed: Observed) -> Observed {
        guard let outcome = observed.outcome, outcome.kind == .error, outcome.at == 0 else { return observed }
        return Observed(trace: [Event(at: 0, kind: .error, text: "")], record: ExpressionFixture.Record())
    }

    @Test("PK-17: zip(a, b) equals parallel([a, b])") func parallel() {
        law(seed: 2_000_000) { random in
            let (a, b) = (random.expression(2), random.expression(2))
            return .unless(
                play { fixture in Self.zipped(a.promise(on: fixture), b.promise(on: fixture)) },
                play { fixture in Promise<Int>.parallel([a.promise(on: fixture), b.promise(on: fixture)]) },
                "a = \(a), b = \(b)", ("zip     ", "parallel"))
        }
    }

    @Test("PK-17: zip(a, b) equals zip(b, a) swapped, times included") func symmetry() {
        law(seed: 2_010_000, longest: neverTogether) { random in
            let (a, b) = (random.expression(2), random.expression(2))
            return .unless(
                Self.unordered(
                    play { fixture in Self.zipped(a.promise(on: fixture), b.promise(on: fixture)) }),
                Self.unordered(
                    play { fixture in
                        Self.zipped(b.promise(on: fixture), a.promise(on: fixture)).map { [$0[1], $0[0]] }
                    }),
                "a = \(a), b = \(b)")
        }
    }

    @Test("PK-17: zip(zip(a, b), c), zip(a, zip(b, c)) and zip(a, b, c) agree, times included")
    func associativity() {
        law(seed: 2_020_000, longest: neverTogether) { random in
            let members = (0..<3).map { _ in random.expression(2) }
            func observe(
                _ zip: @escaping (Promise<Int>, Promise<Int>, Promise<Int>) -> Promise<[Int]>
            ) -> Observed {
                Self.unordered(
                    play { fixture in
                        let promises = members.map { $0.promise(on: fixture) }
                        return zip(promises[0], promises[1], promises[2])
                    })
            }
            let flat = observe { Promise.zip($0, $1, $2).map { [$0, $1, $2] } }
            let left = observe { Promise.zip(Promise<(Int, Int)>.zip($0, $1), $2).map { [$0.0, $0.1, $1] } }
            let right = observe { Promise.zip($0, Promise<(Int, Int)>.zip($1, $2)).map { [$0, $1.0, $1.1] } }
            return .unless(left, flat, "\(members)", ("zip(zip(a, b), c)", "zip(a, b, c)     "))
                ?? .unless(right, flat, "\(members)", ("zip(a, zip(b, c))", "zip(a, b, c)     "))
        }
    }

    @Test("PK-17: parallel has the first error in time, otherwise all values when the last arrives")
    func model() {
        law(seed: 2_030_000, longest: neverTogether) { random in
            let members = (0..<random.number(1...4)).map { _ in random.expression(2) }
            let alone = members.map { member in play { fixture in member.promise(on: fixture) }.outcome }
            let together = play { fixture in Promise<Int>.parallel(members.map { $0.promise(on: fixture) }) }
            let failures = alone.compactMap { $0 }.filter { $0.kind == .error }
            let seen = Violation(
                "\(members)", ("alone   ", alone.map { $0.map(\.description) ?? "never" }),
                ("together", together))
            if let first = failures.min(by: { $0.at < $1.at }) {
                // Several failures at one instant are possible only at the start.
                let possible = failures.filter { $0.at == first.at }
                return possible.contains { together.trace == [$0] } ? nil : seen
            }
            guard let last = alone.map({ $0?.at ?? .max }).max(), last < .max else {
                return together.trace.isEmpty ? nil : seen
            }
            let values = "[\(alone.map { $0?.text ?? "" }.joined(separator: ", "))]"
            return together.trace == [Event(at: last, kind: .value, text: values)] ? nil : seen
        }
    }

    @Test("PK-17: the members are started together, and each runs as if alone until the first failure")
    func together() {
        law(seed: 2_040_000, longest: neverTogether) { random in
            let members = (0..<random.number(1...4)).map { _ in random.expression(2) }
            let together = play { fixture in Promise<Int>.parallel(members.map { $0.promise(on: fixture) }) }
            let end = together.outcome.map { $0.kind == .error ? $0.at : .max } ?? .max
            guard end > 0 else { return nil }
            var begun: [Int: [Int]] = [:]
            for member in members {
                let alone = play { fixture in member.promise(on: fixture) }.record.begun
                begun.merge(alone.filter { $0.value[0] < end }) { $0 + $1 }
            }
            // At the instant of the failure a member's work may still have begun.
            return .unless(together.record.begun.filter { $0.value[0] < end }, begun, "\(members)")
        }
    }

    @Test("PK-17: no unobserved work is running when parallel has settled, whatever its outcome")
    func nothingGoesOn() {
        law(seed: 2_050_000) { random in
            let members = (0..<random.number(1...4)).map { _ in random.expression(2) }
            var violation: Violation?
            _ = play { fixture in
                Promise<Int>.parallel(members.map { $0.promise(on: fixture) })
            } middle: { fixture, promise, _ in
                while promise.result == nil, fixture.scheduler.pendingCount > 0 {
                    fixture.scheduler.advance(by: .nanoseconds(1))
                }
                guard let result = promise.result, !fixture.record.open.isEmpty else { return }
                violation = Violation("\(members)", ("settled", result), ("and yet", fixture.record))
            }
            return violation
        }
    }
}
