import PromisedSystem
import PromisedTesting
import Testing

/// Work that an event starts.
@Suite struct EventFeedbackTests {
    private let works = Log<String>()

    private static let value: @Sendable (Signal) -> Int? = {
        if case .set(let value) = $0 { value } else { nil }
    }

    @Test("FS-12: work starts from a value extracted from an event; another event cancels it")
    func extracting() {
        let bench = EffectBench(
            works: works, .extracting(payload: Self.value) { [works] in works.work("\($0)") })
        bench.send(.set(1), .set(1), .flag(true))
        #expect(works.entries == ["+1", "-1", "+1", "-1"])
    }

    @Test("FS-15: skipping repeats, two equal payloads in a row start the work once: a retry is not noticed")
    func skippingRepeats() {
        let bench = EffectBench(
            works: works, .extractingSkippingRepeated(payload: Self.value) { [works] in works.work("\($0)") })
        bench.send(.set(1), .set(1))
        #expect(works.take() == ["+1"])
        bench.send(.flag(true), .set(1))
        #expect(works.take() == ["-1", "+1"])
    }

    @Test("FS-09: only the latest event's work runs") func latest() {
        let bench = EffectBench(
            works: works, .withLatest(events: Self.value) { [works] in works.work("\($0)", notesAfter: [1]) })
        bench.send(.set(1), .flag(true), .set(2))
        #expect(works.entries == ["+1", "-1", "+2"])
        bench.advance(1)
        #expect(bench.notes == ["2"])
    }

    @Test("FS-10: merged events deliver all results") func merged() {
        let bench = EffectBench(
            works: works, .merging(events: Self.value) { [works] in works.work("\($0)", notesAfter: [1]) })
        bench.send(.set(1), .set(2))
        bench.advance(1)
        #expect(bench.notes == ["1", "2"])
    }

    @Test("Every form receives an event with the state that it has led to")
    func withState() {
        let pair: @Sendable (Signal, Board) -> String? = { signal, board in
            if case .note(let text) = signal {
                "\(text)\(board.value ?? 0)/\(board.notes.count)"
            } else {
                nil
            }
        }
        let bench = EffectBench(
            works: works,
            .merging(eventsWithState: pair) { [works] in works.work("m\($0)") },
            .withLatest(eventsWithState: pair) { [works] in works.work("l\($0)") },
            .extracting(payloadWithState: pair) { [works] in works.work("x\($0)") },
            .onEvent(withState: pair, policy: .drop) { [works] in works.work("d\($0)") })
        bench.send(.set(7), .note("a"))
        #expect(works.take() == ["+ma7/1", "+la7/1", "+xa7/1", "+da7/1"])
        bench.send(.note("b"))
        #expect(works.take() == ["+mb7/2", "-la7/1", "+lb7/2", "-xa7/1", "+xb7/2"])
        bench.send(.flag(true))
        #expect(works.take() == ["-xb7/2"])
    }

    @Test("A lifted feedback receives its part's event with its part's state")
    func withLiftedState() {
        struct Whole: Sendable, Equatable { var board = Board(value: 3) }
        let scope = Scope<Whole, Signal, Board, Signal>(state: \.board, event: .identity())
        let feedback = Feedback<Board, Signal>.merging(
            eventsWithState: { signal, board in if case .flag = signal { board.value } else { nil } }
        ) { [works] in works.work("\($0)") }
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: Board.reducer.lifted(by: scope),
            feedbacks: [feedback.lifted(by: scope)])
        system.sendEvent(.flag(true))
        #expect(works.entries == ["+3"])
        withExtendedLifetime(system) {}
    }

    @Test("One closure returns a promise in one branch, an effect in another, and no work in a third")
    func branches() {
        let bench = EffectBench(
            works: works,
            .merging(events: Self.value) { value in
                switch value {
                case 1: Promise.value(.note("promise"))
                case 2: Effect.just(.note("one"), .note("two"))
                case 3: Effect.none
                default:
                    if value > 4 { Promise.value(Signal.note("many")).delay(.seconds(1)) }
                }
            })
        bench.send(.set(1), .set(2), .set(3), .set(4), .set(5))
        #expect(bench.notes == ["promise", "one", "two"])
        bench.advance(1)
        #expect(bench.notes == ["promise", "one", "two", "many"])
    }

    @Test("FS-47: the same work from a state and from an event delivers both results, by one policy")
    func oneType() {
        let bench = EffectBench(
            works: works,
            .withLatest(state: { $0.flag ? $0.value : nil }) { [works] in
                works.work("state \($0)", notesAfter: [1])
            },
            .withLatest(events: Self.value) { [works] in works.work("event \($0)", notesAfter: [1]) })
        bench.send(.flag(true), .set(1), .set(2))
        bench.advance(1)
        #expect(bench.notes == ["state 2", "event 2"])
    }

    private func bench(_ policy: EffectPolicy, _ delays: [Int] = [3]) -> EffectBench {
        EffectBench(
            works: works,
            .onEvent(Self.value, policy: policy) { [works] in works.work("\($0)", notesAfter: delays) })
    }

    @Test("SR-27: queued work starts after the work before it") func queued() {
        let bench = bench(.queue)
        bench.send(.set(1), .set(2))
        #expect(works.take() == ["+1"])
        bench.advance(3)
        #expect(works.take() == ["+2"])
        bench.advance(3)
        #expect(bench.notes == ["1", "2"])
    }

    @Test("SR-26, SR-27: work that is dropped because another runs is never started: no second request")
    func dropped() {
        let bench = bench(.drop)
        bench.send(.set(1), .set(2))
        bench.advance(3)
        bench.send(.set(3))
        #expect(works.entries == ["+1", "+3"])
    }

    @Test("SR-27: replacing the same key twice cancels the first") func replaced() {
        let bench = bench(.replace)
        bench.send(.set(1), .set(2))
        bench.advance(3)
        #expect(works.entries == ["+1", "-1", "+2"])
        #expect(bench.notes == ["2"])
    }

    @Test("SR-27: debounced work starts after a pause, and only for the last request") func debounced() {
        let bench = bench(.debounce(.seconds(2)))
        bench.send(.set(1))
        bench.advance(1)
        bench.send(.set(2))
        bench.advance(1)
        #expect(works.take() == [])
        bench.advance(1)
        #expect(works.take() == ["+2"])
        bench.advance(3)
        #expect(bench.notes == ["2"])
    }

    @Test(
        "SR-27: a request for debounced work cancels the running work at once: no old answer under a new text"
    )
    func debouncedCancels() {
        let bench = bench(.debounce(.seconds(2)))
        bench.send(.set(1))
        bench.advance(4)
        #expect(works.take() == ["+1"])
        bench.send(.set(2))
        #expect(works.take() == ["-1"])
        // The time at which the old answer would have arrived.
        bench.advance(1)
        #expect(bench.notes == [])
        bench.advance(1)
        #expect(works.take() == ["+2"])
        bench.advance(3)
        #expect(bench.notes == ["2"])
    }

    @Test("SR-27: requesting debounced work again discards the pending events of the work before")
    func debouncedTakesBack() {
        let works = works
        let bench = EffectBench(
            works: works,
            .onEvent(Self.value, policy: .debounce(.seconds(2))) { number in
                Effect<Signal> { effect in
                    works.add("+\(number)")
                    effect.send(.set(number + 1))
                    effect.send(.note("stale \(number)"))
                }
            })
        bench.send(.set(1))
        bench.advance(2)
        #expect(bench.system.state == Board(value: 2))
        #expect(works.entries == ["+1"])
    }

    @Test("SR-27: debounceThenReplace keeps the running work until the pause")
    func debouncedReplaces() {
        let bench = bench(.debounceThenReplace(.seconds(2)))
        bench.send(.set(1))
        bench.advance(2)
        bench.send(.set(2))
        #expect(works.take() == ["+1"])
        bench.advance(1)
        bench.send(.set(3))
        bench.advance(1)
        #expect(works.take() == [])
        // The old answer arrived meanwhile.
        bench.advance(1)
        #expect(works.take() == ["+3"])
        bench.send(.set(4))
        bench.advance(2)
        #expect(works.take() == ["-3", "+4"])
        bench.advance(3)
        #expect(bench.notes == ["1", "4"])
    }

    @Test("SR-27: throttled work runs for the first request of a window only") func throttled() {
        let bench = bench(.throttle(.seconds(5)), [1])
        bench.send(.set(1), .set(2))
        bench.advance(4)
        bench.send(.set(3))
        bench.advance(1)
        bench.send(.set(4))
        bench.advance(1)
        #expect(bench.notes == ["1", "4"])
    }

    @Test("SR-27, SR-41: work is cancelled by its key; cancelling an unknown key is a no-op")
    func cancelledByKey() {
        let bench = EffectBench(
            works: works,
            .onEvent(Self.value, key: { EffectKey($0) }, policy: .replace) { [works] in
                works.work("\($0)", notesAfter: [2])
            },
            .onEvent({ if case .note(let name) = $0 { Int(name.dropFirst()) } else { nil } }) {
                Effect<Signal>.cancel(EffectKey($0))
            })
        bench.send(.set(1), .set(2), .note("x9"), .note("x1"))
        bench.advance(2)
        #expect(works.entries == ["+1", "+2", "-1"])
        #expect(bench.notes == ["x9", "x1", "2"])
    }

    @Test("SR-27: cancelling a key discards the work that is queued under it, too") func cancelledQueue() {
        let bench = EffectBench(
            works: works,
            .onEvent(Self.value, key: { _ in "key" }, policy: .queue) { [works] in
                works.work("\($0)", notesAfter: [2])
            },
            .onEvent({ (signal: Signal) -> Bool? in signal == .flag(true) ? true : nil }) { _ in
                Effect<Signal>.cancel("key")
            })
        bench.send(.set(1), .set(2), .flag(true), .set(3))
        bench.advance(2)
        bench.advance(2)
        #expect(works.entries == ["+1", "-1", "+3"])
        #expect(bench.notes == ["3"])
    }

    @Test("SR-41: cancelling a key cancels it in every feedback") func cancelledEverywhere() {
        let works = works
        let bench = EffectBench(
            works: works,
            .onEvent(Self.value, key: { _ in "key" }) { works.work("first \($0)", notesAfter: [2]) },
            .onEvent(Self.value, key: { _ in "key" }) { works.work("second \($0)", notesAfter: [2]) },
            .onEvent({ (signal: Signal) -> Bool? in signal == .flag(true) ? true : nil }) { _ in
                Effect<Signal>.cancel("key")
            })
        bench.send(.set(1), .flag(true))
        bench.advance(2)
        #expect(works.entries == ["+first 1", "+second 1", "-first 1", "-second 1"])
        #expect(bench.notes == [])
    }

    @Test("FS-45: logging as an event feedback receives each event with the state after it") func logging() {
        let log = Log<String>()
        let bench = EffectBench(
            .imperative { _ in { board, signal in log.add("\(signal) \(board.notes.count)") } })
        bench.send(.note("a"), .note("b"))
        #expect(log.entries == ["note(\"a\") 1", "note(\"b\") 2"])
    }
}
