import PromisedSystem
import TestSupport
import Testing

/// Middleware is a monoid: what each layer sees, and its results, do not depend on how they are grouped.
@Suite(.tags(.noSharedState)) struct MiddlewareLawTests {
    private typealias Layers = Middleware<Board, Signal>
    private typealias Whole = @Sendable (_ a: Layers, _ b: Layers, _ c: Layers) -> Layers

    @Test(
        "SR-10, SR-19: grouping makes no difference, and identity on either side is a no-op: random triples"
    )
    func monoid() {
        let seed = firstSeed()
        for number in 0..<UInt64(rounds(100, stress: 1000)) {
            var random = SeededGenerator(seed: seed &+ number)
            let recipes = ["a", "b", "c"].map { RandomMiddleware($0, &random) }
            let session = RandomSession(&random, length: 2...4, isPlain: number.isMultiple(of: 2))
            func told(_ whole: Whole) -> [String] {
                session.run(middleware: { trace in
                    let all = recipes.map { $0.middleware(trace) }
                    return whole(all[0], all[1], all[2])
                })
            }
            let whole = told { ($0 <> $1) <> $2 }
            func comment() -> Comment { "seed \(seed), case \(number)" }
            #expect(whole == told { $0 <> ($1 <> $2) }, comment())
            if number.isMultiple(of: 4) {
                #expect(whole == told { .combined($0, .identity, $1, $2) }, comment())
            }
            let alone = told { a, _, _ in a }
            #expect(alone == told { a, _, _ in .identity <> a }, comment())
            #expect(alone == told { a, _, _ in a <> .identity }, comment())
        }
    }
}
