import PromisedSystem
import Testing

/// Awaiting a value in actor-isolated code.
@Suite struct FirstValueTests {
    private let counter = System(
        initialState: 0, scheduler: .immediate, reducer: Reducer<Int, Int> { $0 += $1 })

    @Test("first calls its predicate on the calling actor, up to the first match")
    @MainActor func onActor() async {
        let values = counter.settled.values
        for _ in 1...3 { counter.sendEvent(1) }
        var seen: [Int] = []
        let found = await values.first { value in
            MainActor.assertIsolated()
            seen.append(value)
            return value == 2
        }
        #expect(found == 2)
        #expect(seen == [0, 1, 2])
    }

    @Test("first is nil if the source ends before a match") func end() async {
        let values = counter.settled.values
        counter.stop()
        #expect(await values.first { $0 == 1 } == nil)
    }

    @Test("first rethrows the error of its predicate") func failure() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            _ = try await counter.settled.values.first { _ in throw Failure() }
        }
    }
}
