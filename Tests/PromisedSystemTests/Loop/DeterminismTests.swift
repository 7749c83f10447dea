import PromisedSystem
import TestSupport
import Testing

/// The same session gives the same run, with the same output at the same instants.
@Suite struct DeterminismTests {
    private struct Case: Sendable {
        let session: RandomSession
        let feedbacks: [RandomFeedback]
        let middleware: [RandomMiddleware]

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let names = (0..<Int.random(in: 1...3, using: &random)).map { "f\($0)" }
            feedbacks = names.map { RandomFeedback($0, among: names, &random) }
            middleware = (0..<Int.random(in: 0...2, using: &random)).map {
                RandomMiddleware("m\($0)", &random)
            }
            session = RandomSession(&random, length: 3...10, isPlain: false)
        }

        func run() -> [String] {
            session.run(
                feedbacks: { trace in feedbacks.map { $0.feedback(trace) } },
                middleware: { trace in .combined(middleware.map { $0.middleware(trace) }) })
        }
    }

    @Test(
        "R16, R25: random sessions, with every policy, async work, sequences and middleware, run twice: the same"
    )
    func twice() {
        let seed = firstSeed()
        var seen = Set<String>()
        for number in 0..<UInt64(rounds(60, stress: 1000)) {
            let one = Case(seed: seed &+ number)
            let first = one.run()
            #expect(first == one.run(), "seed \(seed), case \(number)")
            for mark in Self.marks.subtracting(seen) where first.contains(where: { $0.contains(mark) }) {
                seen.insert(mark)
            }
        }
        // Notices sessions in which nothing ever happens.
        #expect(seen == Self.marks)
    }

    /// Every outcome, work that starts and that is cancelled, and middleware before and after.
    private static let marks: Set = [
        "settled", "failed", "cancelled", "stopped", "dropped ", "debounced", "throttled", "withdrawn", " +f",
        " -f", " m0> ", " m0< ", " ~",
    ]
}
