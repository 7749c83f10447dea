import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Laws are tried on random cases; a case that breaks one is shrunk and reported.
@Suite(.tags(.noSharedState)) struct LawTests {
    private static func numbers(_ random: inout LawRandom) -> [Int] {
        (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...99, using: &random) }
    }

    private let sorted = Law("sorted", "a is a.sorted()") { random in
        let a = LawTests.numbers(&random)
        return .unless(a, a.sorted(), ["a": a])
    }
    private let reversed = Law("reversed twice", "a.reversed().reversed() is a") { random in
        let a = LawTests.numbers(&random)
        return .unless(a.reversed().reversed(), a, ["a": a])
    }

    @Test("a law that holds reports nothing; one that does not reports a small case")
    func failing() {
        #expect(
            failures { checkLaws([reversed, sorted]) } == [
                """
                The law "sorted" does not hold: a is a.sorted(). But:

                    a = [1, 0]
                    left: [1, 0]
                    right: [0, 1]

                Shrunk from case 1 of 200 with seed 1. Fix what breaks the law, or leave it out and say why: \
                leavingOut: ["sorted": "…"].
                """
            ])
    }

    @Test("a law can be excluded by its name; an unknown name is reported") func leavingOut() {
        #expect(broken([reversed, sorted], leavingOut: ["sorted": "arrays are in any order"]).isEmpty)
        #expect(
            failures { checkLaws([reversed, sorted], leavingOut: ["sorted": "x", "srted": "a slip"]) } == [
                """
                There is no law "srted" to leave out. The laws are:

                    reversed twice
                    sorted

                Name one of them, or leave out none.
                """
            ])
    }

    @Test(
        "the same seed tries the same cases, another seed others, and the requested number of them"
    )
    func seeds() {
        func tried(_ cases: Int, seed: UInt64) -> [[Int]] {
            let tried = Lock<[[Int]]>([])
            let law = Law("any", "") { random in
                let numbers = LawTests.numbers(&random)
                tried.withLock { $0.append(numbers) }
                return nil
            }
            checkLaws([law], cases: cases, seed: seed)
            return tried.withLock { $0 }
        }
        #expect(tried(50, seed: 3) == tried(50, seed: 3))
        #expect(tried(50, seed: 3).dropFirst() == tried(49, seed: 4)[...])
        #expect(tried(50, seed: 3) != tried(50, seed: 1_000))
        #expect(tried(7, seed: 3).count == 7)
    }

    @Test("the test fails if no case was tried") func nothing() {
        func text(_ laws: Int, _ cases: Int, leavingOut: Int = 0) -> [String] {
            [
                """
                Nothing was tried: there are \(laws) laws, of which \(leavingOut) are left out, and \(cases) cases of each.

                Give checkLaws at least one law and one case. A suite has no laws when it was given nothing to try them on.
                """
            ]
        }
        #expect(failures { checkLaws([reversed], cases: 0) } == text(1, 0))
        let none = ReducerLaws<Reducer<Int, Int>, Int, Int, PromiseTrace<Int>>(
            [:], states: { _ in 0 }, events: { _ in 0 })
        #expect(failures { checkLaws(none.all) } == text(0, 200))
        #expect(
            failures { checkLaws([sorted], leavingOut: ["sorted": "not yet"]) } == text(1, 200, leavingOut: 1)
        )
    }

    @Test("a failure is reported at the place of the check") func place() {
        #expect(failingLines { checkLaws([sorted]) } == [#line])
        #expect(failingLines { checkLaws([]) } == [#line])
        #expect(failingLines { checkLaws([reversed], leavingOut: ["x": "y"]) } == [#line])
    }

    @Test("shrinking ends even if a case can hardly be made smaller") func hard() {
        let calls = Lock(0)
        let law = Law("odd", "the sum is even") { random in
            calls.withLock { $0 += 1 }
            let a = (0..<50).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
            return a.reduce(0, &+).isMultiple(of: 2) ? nil : .init(["first": a[0]], [:])
        }
        #expect(broken([law]) == ["odd"])
        #expect(calls.withLock { $0 } < 1_100)
    }

    @Test("everything that a promise delivers is traced, with the instants") func trace() {
        struct Boom: Error {}
        let trace = PromiseTrace(Promise.value(2).delay(.seconds(1)).interim(1))
        #expect(trace.events == [.interim(1), .fulfilled(2)])
        #expect("\(trace)" == "interim(1), fulfilled(2) at 1.0 seconds")
        #expect(trace != PromiseTrace(Promise.value(2).interim(1)))
        #expect(PromiseTrace(Promise<Int>(error: Boom())).events == [.rejected("Boom()")])
        let (never, resolver) = Promise<Int>.pending()
        withExtendedLifetime(resolver) { #expect("\(PromiseTrace(never))" == "nothing") }
    }
}
