import PromisedSystem
import PromisedTesting
import Testing

/// Revisions that a policy drops, and requests that are withdrawn.
@Suite struct DroppedRevisionTests {
    private let works = Log<String>()

    /// Requests work with the value as its revision.
    private func bench(_ policy: EffectPolicy) -> EffectBench {
        EffectBench(
            works: works,
            Feedback(requests: { [works] _, board in
                guard let value = board.value else { return [] }
                return [
                    EffectRequest("key", revision: EffectKey(value), policy: policy) {
                        works.work("\(value)", notesAfter: [2])
                    }
                ]
            }))
    }

    @Test(
        "FS-47: a revision that is dropped counts as served: it does not start when the running work has ended"
    )
    func dropped() {
        let bench = bench(.drop)
        bench.send(.set(1), .set(2))
        bench.advance(3)
        bench.send(.flag(true))
        #expect(works.entries == ["+1"])
        bench.send(.set(3))
        #expect(works.entries == ["+1", "+3"])
    }

    @Test("FS-47: a withdrawn request does not count as served when it is made again")
    func givenUp() {
        let bench = bench(.throttle(.seconds(10)))
        bench.send(.set(1), .set(nil))
        #expect(works.take() == ["+1", "-1"])
        bench.advance(11)
        bench.send(.set(1))
        #expect(works.entries == ["+1"])
    }
}
