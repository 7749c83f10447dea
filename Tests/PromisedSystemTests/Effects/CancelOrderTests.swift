import PromisedSystem
import PromisedTesting
import Testing

/// `Effect.cancel` cancels the work that was requested before it.
@Suite struct CancelOrderTests {
    private let works = Log<String>()

    private static let value: @Sendable (Signal) -> Int? = {
        if case .set(let value) = $0 { value } else { nil }
    }

    /// `.set` cancels the work of "key" and then requests new work under that key; `.flag(true)` only cancels.
    private func bench(_ policy: EffectPolicy, _ work: @escaping @Sendable (Int) -> Effect<Signal>)
        -> EffectBench
    {
        EffectBench(
            works: works,
            .onEvent({ $0 == .flag(true) || Self.value($0).map { $0 > 1 } == true ? true : nil }) { _ in
                Effect<Signal>.cancel("key")
            },
            .onEvent(Self.value, key: { _ in "key" }, policy: policy) { work($0) })
    }

    @Test(
        "SR-41: work that is requested after a cancel in the same turn runs, whatever its policy",
        arguments: [
            EffectPolicy.concurrent, .queue, .replace, .drop, .debounce(.seconds(1)),
            .debounceThenReplace(.seconds(1)), .throttle(.seconds(1)),
        ])
    func askedAfterwards(policy: EffectPolicy) {
        let works = works
        let bench = bench(policy) { works.work("\($0)", notesAfter: [5]) }
        bench.send(.set(1))
        bench.advance(2)
        #expect(works.take() == ["+1"])
        bench.send(.set(2))
        bench.advance(10)
        #expect(works.take() == ["-1", "+2"])
        #expect(bench.notes == ["2"])
    }

    @Test("SR-41: the events of work that ends synchronously are kept if it was requested after the cancel")
    func overAtOnce() {
        let bench = bench(.concurrent) { .just(.note("\($0)")) }
        bench.send(.set(1))
        bench.send(.set(2))
        #expect(bench.notes == ["1", "2"])
        // The second cancels the work of the first, whose event is queued behind the second.
        bench.send(.set(3), .set(4))
        #expect(bench.notes == ["1", "2", "4"])
    }

    @Test("SR-41: a new revision that is requested after a cancel starts new work instead of updating")
    func updatedAfterwards() {
        let works = works
        let bench = EffectBench(
            works: works,
            .lensingSkippingRepeated(state: { $0.value == 2 ? true : nil }) { _ in
                Effect<Signal>.cancel("key")
            },
            Feedback(requests: { _, board in
                guard let value = board.value else { return [] }
                return [
                    EffectRequest("key", revision: EffectKey(value), update: { works.add("~\(value)") }) {
                        works.work("\(value)", notesAfter: [5])
                    }
                ]
            }))
        bench.send(.set(1), .set(2), .set(3))
        bench.advance(10)
        #expect(works.take() == ["+1", "-1", "+2", "~3"])
        #expect(bench.notes == ["2"])
    }

    @Test(
        "SR-41: a cancel inside merged work does not cancel that work, however long the work was pending",
        arguments: [EffectPolicy.concurrent, .queue, .replace, .debounce(.seconds(1))])
    func notItself(policy: EffectPolicy) {
        let works = works
        let bench = EffectBench(
            works: works,
            .onEvent(Self.value, key: { _ in "key" }, policy: policy) { number in
                Effect<Signal>.merge(.cancel("key"), works.work("\(number)", notesAfter: [5]))
            })
        bench.send(.set(1))
        bench.advance(2)
        bench.send(.set(2))
        bench.advance(20)
        #expect(works.take().sorted() == (policy == .queue ? ["+1", "+2"] : ["+1", "+2", "-1"]))
        #expect(bench.notes == (policy == .queue ? ["1", "2"] : ["2"]))
    }

    @Test("SR-41: a cancel affects only the queued work of its key that was requested before it")
    func queued() {
        let works = works
        let bench = bench(.queue) { works.work("\($0)", notesAfter: [2]) }
        bench.send(.set(1))
        // Queued behind the first, and cancelled with it by the next event.
        bench.send(.set(0), .set(2), .set(-1))
        #expect(works.take() == ["+1", "-1", "+2"])
        bench.advance(2)
        bench.advance(2)
        #expect(works.take() == ["+-1"])
        #expect(bench.notes == ["2", "-1"])
        bench.send(.set(0), .set(-1), .flag(true))
        bench.advance(10)
        #expect(works.take() == ["+0", "-0"])
        #expect(bench.notes == ["2", "-1"])
    }

    @Test("SR-41: a cancel also affects work that was queued when it was requested and has started since")
    func begunMeanwhile() {
        let works = works
        let scheduler = TestScheduler()
        let system = System(
            initialState: Board(), scheduler: scheduler, reducer: Board.reducer,
            feedbacks: [
                .onEvent(Self.value, key: { _ in "key" }, policy: .queue) { number in
                    Effect<Signal> { effect in
                        works.add("+\(number)")
                        effect.onCancel { works.add("-\(number)") }
                        if number == 1 { effect.scheduler.schedule(after: .seconds(1)) { effect.finish() } }
                    }
                },
                // Starts after two seconds without another request: by then the second piece of work runs.
                .onEvent({ $0 == .flag(true) ? true : nil }, policy: .debounce(.seconds(2))) { _ in
                    Effect<Signal>.cancel("key")
                },
            ])
        for signal in [.set(1), .set(2), .flag(true)] as [Signal] { system.sendEvent(signal) }
        scheduler.advance(by: .seconds(5))
        #expect(works.entries == ["+1", "+2", "-2"])
    }

    /// With each new value, one feedback requests the cancelling first, and then new work under the cancelled key.
    private func requestingBench(_ policy: EffectPolicy) -> EffectBench {
        let works = works
        return EffectBench(
            works: works,
            Feedback(requests: { _, board in
                guard let value = board.value else { return [] }
                return [
                    EffectRequest("stop", revision: EffectKey(value)) { Effect<Signal>.cancel("key") },
                    EffectRequest("key", revision: EffectKey(value), policy: policy) {
                        works.work("\(value)", notesAfter: [5])
                    },
                ]
            }))
    }

    @Test(
        "SR-41: a cancel spares the pending work that the same feedback has requested after it",
        arguments: [EffectPolicy.queue, .debounce(.seconds(1)), .debounceThenReplace(.seconds(1))])
    func requestedBehind(policy: EffectPolicy) {
        let bench = requestingBench(policy)
        bench.send(.set(1))
        bench.advance(2)
        #expect(works.take() == ["+1"])
        bench.send(.set(2))
        bench.advance(10)
        #expect(works.take() == ["-1", "+2"])
        #expect(bench.notes == ["2"])
    }

    @Test(
        "SR-41: a cancel ends the timer of debounced work",
        arguments: [EffectPolicy.debounce(.seconds(1)), .debounceThenReplace(.seconds(1))])
    func timer(policy: EffectPolicy) {
        let bench = bench(policy) { .just(.note("\($0)")) }
        bench.send(.set(1))
        #expect(bench.scheduler.pendingCount == 1)
        bench.send(.flag(true))
        #expect(bench.scheduler.pendingCount == 0)
    }
}
