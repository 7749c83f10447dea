import PromisedSystem
import TestSupport
import Testing

/// Feedbacks are a monoid: what is shown, recorded, started and cancelled does not depend on how they are grouped.
@Suite(.tags(.noSharedState)) struct FeedbackLawTests {
    private typealias Parts = @Sendable (_ a: Loop, _ b: Loop, _ c: Loop) -> [Loop]
    private typealias Loop = Feedback<Board, Signal>

    @Test(
        "SR-10, FS-08: grouping makes no difference, and empty on either side is a no-op: random triples"
    )
    func monoid() {
        let seed = firstSeed()
        for number in 0..<UInt64(rounds(50, stress: 1000)) {
            var random = SeededGenerator(seed: seed &+ number)
            let recipes = ["a", "b", "c"].map { RandomFeedback($0, among: ["a", "b", "c"], &random) }
            let session = RandomSession(&random, length: 2...4, isPlain: true)
            func told(_ parts: Parts) -> [String] {
                session.run(feedbacks: { trace in
                    let all = recipes.map { $0.feedback(trace) }
                    return parts(all[0], all[1], all[2])
                })
            }
            let whole = told { [($0 <> $1) <> $2] }
            func comment() -> Comment { "seed \(seed), case \(number): \(recipes.map(\.form))" }
            #expect(whole == told { [$0 <> ($1 <> $2)] }, comment())
            if number.isMultiple(of: 4) {
                // A system's list of feedbacks is the same composition.
                #expect(whole == told { [.combined($0, $1), .empty, $2] }, comment())
            }
            let alone = told { a, _, _ in [a] }
            #expect(alone == told { a, _, _ in [.empty <> a] }, comment())
            #expect(alone == told { a, _, _ in [a <> .empty] }, comment())
        }
    }
}
