import Promise
import PromisedTesting
import TestSupport
import Testing

/// The laws of promises hold for promises and promise-like types, and each law finds a type that breaks it.
@Suite struct PromiseLawsTests {
    @Sendable private static func number(_ random: inout LawRandom) -> Int {
        .random(in: 0...9, using: &random)
    }

    // MARK: Types that keep the laws

    private func promises(
        samples: @escaping @Sendable (inout LawRandom) -> Promise<Int>
    ) -> PromiseLaws<Promise<Int>, Int, PromiseTrace<Int>> {
        PromiseLaws(
            values: Self.number, pure: { .value($0) }, flatMap: { $0.flatMap($1) }, map: { $0.map($1) },
            fail: { Promise(error: $0) }, recover: { $0.recover($1) },
            work: { work in Promise { $0.fulfill(work()) } }, samples: samples, outcome: { PromiseTrace($0) })
    }

    @Test("promises keep all laws, and their outcomes come at the same instants") func promise() {
        let laws = promises { random in
            let promise = Promise.value(Self.number(&random)).delay(.seconds(Self.number(&random)))
            return Bool.random(using: &random) ? promise : promise.timeout(.seconds(4))
        }
        #expect(laws.all.count == 14)
        #expect(broken(laws.all, cases: rounds(250, stress: 1_000)).isEmpty)
    }

    @Test("flatMap drops the interim values of its source, so two laws are excluded")
    func interim() {
        let laws = promises { .value(Self.number(&$0)).interim(Self.number(&$0)) }
        let reason = "flatMap drops the interim values before it"
        #expect(broken(laws.all) == ["right identity", "map by flatMap"])
        #expect(broken(laws.all, leavingOut: ["right identity": reason, "map by flatMap": reason]).isEmpty)
    }

    @Test("arrays, optionals and results keep their laws") func others() {
        let arrays = PromiseLaws<[Int], Int, [Int]>(
            values: Self.number, pure: { [$0] }, flatMap: { $0.flatMap($1) }, map: { $0.map($1) },
            fail: { _ in [] },
            samples: { random in (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.number(&random) }
            },
            outcome: { $0 })
        let optionals = PromiseLaws<Int?, Int, Int?>(
            values: Self.number, pure: { $0 }, flatMap: { $0.flatMap($1) }, map: { $0.map($1) },
            fail: { _ in nil },
            outcome: { $0 })
        let results = PromiseLaws<Result<Int, any Error>, Int, String>(
            values: Self.number, pure: { .success($0) }, flatMap: { $0.flatMap($1) }, map: { $0.map($1) },
            fail: { .failure($0) }, recover: { $0.flatMapError($1) }, outcome: { "\($0)" })
        #expect(broken(arrays.all).isEmpty && arrays.all.count == 8)
        #expect(broken(optionals.all).isEmpty && optionals.all.count == 8)
        #expect(broken(results.all).isEmpty && results.all.count == 12)
    }

    // MARK: Types that break them

    /// Work that runs when its result is first read, and only once.
    struct Toy: Sendable {
        let run: @Sendable () -> Result<Int, LawError>

        static func work(_ body: @escaping @Sendable () -> Int) -> Toy {
            let done = Lock<Int?>(nil)
            return Toy {
                done.withLock { done in
                    done = done ?? body()
                    return done.map { .success($0) } ?? .failure(LawError(0))
                }
            }
        }

        func then(_ next: @escaping @Sendable (Result<Int, LawError>) -> Toy) -> Toy {
            Toy { next(run()).run() }
        }

        static func pure(_ value: Int) -> Toy { Toy { .success(value) } }
        static func fail(_ error: any Error) -> Toy { Toy { .failure(error as? LawError ?? LawError(0)) } }
        static func settled(_ result: Result<Int, LawError>) -> Toy { Toy { result } }
    }

    typealias Laws = PromiseLaws<Toy, Int, Result<Int, LawError>>

    private static func toys(
        pure: @escaping Laws.Next = Toy.pure,
        flatMap: @escaping @Sendable (Toy, @escaping Laws.Next) -> Toy = { toy, next in
            toy.then { if case .success(let value) = $0 { next(value) } else { .settled($0) } }
        },
        map: @escaping @Sendable (Toy, @escaping @Sendable (Int) -> Int) -> Toy = { toy, transform in
            toy.then { .settled($0.map(transform)) }
        },
        recover: @escaping @Sendable (Toy, @escaping Laws.Recovery) -> Toy = { toy, next in
            toy.then { if case .failure(let error) = $0 { next(error) } else { .settled($0) } }
        },
        work: @escaping @Sendable (@escaping @Sendable () -> Int) -> Toy = Toy.work
    ) -> Laws {
        Laws(
            values: number, pure: pure, flatMap: flatMap, map: map, fail: Toy.fail, recover: recover,
            work: work,
            outcome: { $0.run() })
    }

    /// A type that breaks the law, by the law's name.
    private static let wrong: [String: Laws] = [
        "map identity": toys(map: { toy, transform in toy.then { .settled($0.map { transform($0) + 1 }) } }),
        "map composition": toys(
            map: { toy, transform in toy.then { .settled($0.map { transform(transform($0)) }) } }),
        "map by flatMap": toys(map: { toy, _ in toy }),
        "left identity": toys(pure: { .pure($0 + 1) }),
        "right identity": toys(flatMap: { toy, next in
            toy.then { if case .success(let value) = $0 { next(value + 1) } else { .settled($0) } }
        }),
        "associativity": toys(flatMap: { toy, next in
            toy.then { first in
                guard case .success(let value) = first else { return .settled(first) }
                return next(value).then { .settled($0.map { value - $0 }) }
            }
        }),
        "error through map": toys(map: { toy, transform in
            toy.then { if case .success(let value) = $0 { .pure(transform(value)) } else { .pure(0) } }
        }),
        "error through flatMap": toys(flatMap: { toy, next in toy.then { next((try? $0.get()) ?? 0) } }),
        "value through recover": toys(recover: { toy, next in toy.then { _ in next(LawError(1)) } }),
        "recover left identity": toys(recover: { toy, _ in toy }),
        "recover right identity": toys(recover: { toy, next in
            toy.then { if case .failure = $0 { next(LawError(9)) } else { .settled($0) } }
        }),
        "recover associativity": toys(recover: { toy, next in
            toy.then { first in
                guard case .failure(let error) = first else { return .settled(first) }
                return next(error).then { .settled($0.map { $0 - error.number }) }
            }
        }),
        "laziness": toys(map: { toy, transform in .settled(toy.run().map(transform)) }),
        "once": toys(work: { work in Toy { .success(work()) } }),
    ]

    @Test("a correct type breaks no law, and there is a broken type for each law") func sound() {
        #expect(broken(Self.toys().all).isEmpty)
        #expect(Set(Self.wrong.keys) == Set(Self.toys().all.map(\.name)))
    }

    @Test("each law finds a type that breaks it", arguments: wrong.keys.sorted())
    func finds(law: String) throws {
        #expect(broken(try #require(Self.wrong[law]).all).contains(law))
    }

    @Test("promises and functions of a counterexample have readable descriptions")
    func text() throws {
        let law = try #require(Self.wrong["recover left identity"])
        #expect(
            failures { checkLaws(law.all) } == [
                """
                The law "recover left identity" does not hold: fail(e).recover(f) is f(e). But:

                    e = e1
                    f = { _ in pure(0) }
                    left: failure(e1)
                    right: success(0)

                Shrunk from case 1 of 200 with seed 1. Fix what breaks the law, or leave it out and say why: \
                leavingOut: ["recover left identity": "…"].
                """
            ])
    }

    @Test("a sample is described by its result") func sample() {
        let laws = promises { _ in Promise.value(3).delay(.seconds(1)).interim(2) }
        let texts = failures { checkLaws(laws.all) }
        #expect(texts.contains { $0.contains("p = sample(interim(2), fulfilled(3) at 1.0 seconds)") })
    }
}
