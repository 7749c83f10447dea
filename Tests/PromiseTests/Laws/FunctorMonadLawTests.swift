import Promise
import TestSupport
import Testing

/// The laws of `map`, `flatMap` and `recover`, for random promises, checked by all observable behaviour: what
/// an observer receives and when, and how often each body ran or was cancelled, and each function was called.
///
/// `map` and `recover` keep interim values, and their laws include them. `flatMap` drops the interim values
/// of its source, which have another type, so two of its laws exclude those. The three laws with `flatMap`
/// inside also exclude how often functions of `map` were called: a leading interim value may be read, and so
/// mapped, once more or less often. `loadingState`, which is read without starting, is not compared:
/// `flatMap` has none.
@Suite(.tags(.noSharedState)) struct FunctorMonadLawTests {
    @Test("p.map { $0 } is p, interim values included") func mapIdentity() {
        law(seed: 1_000_000) { random in
            let p = random.expression()
            return .unless(
                play { fixture in p.promise(on: fixture).map { $0 } },
                play { fixture in p.promise(on: fixture) },
                "p = \(p)")
        }
    }

    @Test("p.map(f).map(g) is p.map { g(f($0)) }, interim values included") func mapComposition() {
        law(seed: 1_010_000) { random in
            let (p, f, g) = (random.expression(), random.function(), random.function())
            return .unless(
                play { fixture in
                    p.promise(on: fixture).map { try f($0, on: fixture) }.map { try g($0, on: fixture) }
                },
                play { fixture in p.promise(on: fixture).map { try g(f($0, on: fixture), on: fixture) } },
                "p = \(p), f = \(f), g = \(g)")
        }
    }

    @Test("p.map(f) is p.flatMap { .value(f($0)) }, but for the interim values of p")
    func mapByFlatMap() {
        law(seed: 1_020_000) { random in
            let (p, f) = (random.expression(), random.function())
            return .unless(
                play { fixture in p.promise(on: fixture).map { try f($0, on: fixture) } }.withoutInterim,
                play { fixture in p.promise(on: fixture).flatMap { .value(try f($0, on: fixture)) } }
                    .withoutInterim,
                "p = \(p), f = \(f)")
        }
    }

    @Test("left identity: value(x).flatMap(f) is f(x), interim values included")
    func leftIdentity() {
        law(seed: 1_030_000) { random in
            let (x, f) = (random.number(0...99), random.continuation(3))
            return .unless(
                play { fixture in Promise.value(x).flatMap { try f($0, on: fixture) } },
                play { fixture in
                    do { return try f(x, on: fixture) } catch { return Promise(error: error) }
                },
                "x = \(x), f = \(f)")
        }
    }

    @Test("right identity: p.flatMap { .value($0) } is p without its interim values")
    func rightIdentity() {
        law(seed: 1_040_000) { random in
            let p = random.expression()
            return .unless(
                play { fixture in p.promise(on: fixture).flatMap { .value($0) } }.unmapped,
                play { fixture in p.promise(on: fixture) }.withoutInterim, "p = \(p)")
        }
    }

    @Test(
        "associativity: p.flatMap(f).flatMap(g) is p.flatMap { f($0).flatMap(g) }, interim included"
    )
    func associativity() {
        law(seed: 1_050_000) { random in
            let (p, f, g) = (random.expression(2), random.continuation(), random.continuation())
            return .unless(
                play { fixture in
                    p.promise(on: fixture).flatMap { try f($0, on: fixture) }.flatMap {
                        try g($0, on: fixture)
                    }
                }.unmapped,
                play { fixture in
                    p.promise(on: fixture).flatMap {
                        try f($0, on: fixture).flatMap { try g($0, on: fixture) }
                    }
                }.unmapped,
                "p = \(p), f = \(f), g = \(g)")
        }
    }

    @Test("then is flatMap") func then() {
        law(seed: 1_060_000) { random in
            let (p, f) = (random.expression(), random.continuation())
            return .unless(
                play { fixture in p.promise(on: fixture).then { try f($0, on: fixture) } },
                play { fixture in p.promise(on: fixture).flatMap { try f($0, on: fixture) } },
                "p = \(p), f = \(f)")
        }
    }

    // MARK: Errors

    @Test("Promise(error: e).recover(f) is f(e), interim values included")
    func recoverLeftIdentity() {
        law(seed: 1_070_000) { random in
            let f = random.continuation(3)
            return .unless(
                play { fixture in
                    Promise<Int>(error: Boom("four")).recover { try f("\($0)".utf8.count, on: fixture) }
                },
                play { fixture in
                    do { return try f(4, on: fixture) } catch { return Promise(error: error) }
                },
                "f = \(f)")
        }
    }

    @Test("p.recover { Promise(error: $0) } is p, interim values included")
    func recoverRightIdentity() {
        law(seed: 1_080_000) { random in
            let p = random.expression()
            return .unless(
                play { fixture in p.promise(on: fixture).recover { Promise(error: $0) } },
                play { fixture in p.promise(on: fixture) }, "p = \(p)")
        }
    }

    @Test("p.recover(f).recover(g) is p.recover { f($0).recover(g) }, interim values included")
    func recoverAssociativity() {
        law(seed: 1_090_000) { random in
            let (p, f, g) = (random.expression(2), random.continuation(), random.continuation())
            @Sendable func length(_ error: any Error) -> Int { "\(error)".utf8.count }
            return .unless(
                play { fixture in
                    p.promise(on: fixture).recover { try f(length($0), on: fixture) }
                        .recover { try g(length($0), on: fixture) }
                },
                play { fixture in
                    p.promise(on: fixture).recover {
                        // The law is about functions that return a promise: if f throws, the error is
                        // converted to a rejected promise.
                        let next: Promise<Int>
                        do { next = try f(length($0), on: fixture) } catch { next = Promise(error: error) }
                        return next.recover { try g(length($0), on: fixture) }
                    }
                },
                "p = \(p), f = \(f), g = \(g)")
        }
    }

    @Test("p.mapError { $0 } and p.ensure {} are p, interim values included") func identities() {
        law(seed: 1_100_000) { random in
            let p = random.expression()
            let plain = play { fixture in p.promise(on: fixture) }
            return .unless(
                play { fixture in p.promise(on: fixture).mapError { $0 } }, plain, "mapError, p = \(p)")
                ?? .unless(play { fixture in p.promise(on: fixture).ensure {} }, plain, "ensure, p = \(p)")
        }
    }

    // MARK: The cases of the laws

    @Test("R11: the random promises cover every kind of outcome") func variety() {
        var kinds: [String: Int] = [:]
        law(seed: 1_110_000, cases: rounds(1_000)) { random in
            let p = random.expression()
            let seen = play { fixture in p.promise(on: fixture) }
            if seen.trace.contains(where: \.isInterim) { kinds["interim", default: 0] += 1 }
            if !seen.record.cancelled.isEmpty { kinds["cancelled", default: 0] += 1 }
            if let outcome = seen.outcome, outcome.at > 0 { kinds["later", default: 0] += 1 }
            switch seen.outcome {
            case nil: kinds["never", default: 0] += 1
            case let event? where event.kind == .value: kinds["value", default: 0] += 1
            case let event? where event.text.contains("abandoned"): kinds["abandoned", default: 0] += 1
            case let event? where event.text.contains("within"): kinds["timed out", default: 0] += 1
            case _?: kinds["error", default: 0] += 1
            }
            return nil
        }
        for kind in ["interim", "cancelled", "later", "never", "value", "abandoned", "timed out", "error"] {
            #expect(kinds[kind, default: 0] >= 10, "\(kind): \(kinds[kind, default: 0])")
        }
    }
}
