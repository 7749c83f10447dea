import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The order, the failures, the cancellation and the end of the work that feedbacks start.
@Suite struct FeedbackLifetimeTests {
    private let works = Log<String>()

    @Test("FS-02, FS-24: the state is readable at once, and nothing runs until the scheduler does")
    func beforeStart() {
        let scheduler = TestScheduler()
        let system = System(
            initialState: Board(value: 1), scheduler: scheduler, reducer: Board.reducer,
            feedbacks: [.withLatest(state: \.value) { [works] in works.work("\($0)") }])
        let shown = Log<Int?>()
        let token = system.settled.subscribe { shown.add($0.value) }
        #expect(system.state.value == 1)
        #expect(works.entries.isEmpty)
        system.sendEvent(.set(1))
        scheduler.advance()
        #expect(works.entries == ["+1", "-1", "+1"])
        #expect(shown.entries == [1, 1])
        token.cancel()
    }

    @Test("FS-07: a promise or a sequence sends events; its end ends nothing else") func just() {
        let (promise, resolver) = Promise<Signal>.pending()
        let bench = EffectBench(
            works: works, .just(effects: promise),
            .withLatest(state: \.value) { [works] in works.work("\($0)", notesAfter: [1]) })
        resolver.fulfill(.set(1))
        bench.advance(0)
        #expect(works.entries == ["+1"])
        bench.send(.set(2))
        bench.advance(1)
        #expect(bench.notes == ["2"])
    }

    @Test("FS-21: events that a source sent before it ended are all reduced, although the loop was busy")
    func input() {
        let scheduler = TestScheduler()
        let numbers = AsyncStream<Int>.makeStream()
        let system = System<[Int], Int>(
            initialState: [], scheduler: scheduler,
            feedbacks: [.just(effects: Effect.values(numbers.stream))]
        ) { state, number in
            let next = Promise.value(state + [number])
            return number == 0 ? next.delay(.seconds(1)) : next
        }
        system.sendEvent(0)
        scheduler.advance()
        for number in 1...3 { numbers.continuation.yield(number) }
        numbers.continuation.finish()
        scheduler.advance()
        #expect(system.state == [])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == [0, 1, 2, 3])
    }

    @Test("FS-32, SR-52: one system's state feeds another, without an echo") func feeding() {
        let scheduler = TestScheduler()
        let first = System<Int, Int>(initialState: 1, scheduler: scheduler) { .value($0 + $1) }
        let second = System<[Int], Int>(
            initialState: [], scheduler: scheduler, feedbacks: [.input(first.settled, as: { $0 * 10 })]
        ) { .value($0 + [$1]) }
        scheduler.advance()
        first.sendEvent(1)
        scheduler.advance()
        #expect(second.state == [10, 20])
        #expect(first.state == 2)
    }

    @Test(
        "FS-20: an imperative feedback is set up once, sends later and from any thread, and not after the end"
    )
    func imperative() {
        let sends = Box<[@Sendable (Signal) -> Void]>([])
        let heard = Log<String>()
        let bench = EffectBench(
            .imperative { send in
                sends.value.append(send)
                return { board, signal in heard.add("\(signal) \(board.notes)") }
            })
        bench.send(.note("a"))
        let send = sends.value[0]
        send(.note("b"))
        bench.advance(0)
        #expect(sends.value.count == 1)
        #expect(heard.entries == ["note(\"a\") [\"a\"]", "note(\"b\") [\"a\", \"b\"]"])
        bench.release()
        send(.note("c"))
        bench.scheduler.run()
        #expect(heard.count == 2)
    }

    @Test(
        "FS-22: an effect's error is reported, and its feedback keeps running; mapped, the error is an event")
    func failing() {
        let value: @Sendable (Signal) -> Int? = { if case .set(let value) = $0 { value } else { nil } }
        let bench = EffectBench(
            .withLatest(events: value) { number in
                number == 1 ? Promise<Signal>(error: TestError("one")) : .value(.note("\(number)"))
            },
            .withLatest(events: value) { _ in
                Effect<Signal>.task { throw TestError("task") }.recover { .note("\($0)") }
            })
        bench.send(.set(1), .set(2))
        #expect(bench.errors.entries == ["one"])
        #expect(bench.notes.sorted() == ["2", "task"])
    }

    @Test("async work without an event ends the effect, fails it, and is cancelled with it")
    func asyncWithoutEvent() {
        let (sound, resolver) = Promise<Int>.pending()
        let (works, cancelled) = (Log<String>(), Box(false))
        let (never, open) = Promise<Int>.pending()
        open.onCancel { cancelled.value = true }
        let value: @Sendable (Signal) -> Int? = { if case .set(let value) = $0 { value } else { nil } }
        let bench = EffectBench(
            .onEvent(value, key: { _ in "play" }, policy: .queue) { number in
                Effect<Signal>.fireAndForget {
                    works.add("start \(number)")
                    if number == 2 { throw TestError("two") }
                    works.add("end \(try await number == 1 ? sound.value : never.value)")
                }
            },
            .onEvent({ if case .flag = $0 { () } else { nil } }) { Effect<Signal>.cancel("play") })
        bench.send(.set(1), .set(2), .set(3))
        #expect(works.take() == ["start 1"])
        resolver.fulfill(7)
        bench.scheduler.advance()
        #expect(works.take() == ["end 7", "start 2", "start 3"])
        #expect(bench.errors.entries == ["two"], "\(bench.errors.entries)")
        #expect(!cancelled.value)
        bench.send(.flag(true))
        withExtendedLifetime(open) { #expect(cancelled.value && works.take() == []) }
        #expect(bench.errors.entries == ["two"], "\(bench.errors.entries)")
    }

    @Test("FS-22: without onError an effect's error is reported once, with the place of its feedback")
    func failingUnheard() {
        Reports.begin()
        let error = TestError("unheard \(#line) of effects")
        let bench = EffectBench(
            listensToErrors: false,
            .whenBecomesTrue(state: \.flag) { _ in Promise<Signal>(error: error) })
        bench.send(.flag(true))
        let reports = Reports.about(error.description).map(\.description)
        #expect(reports.count == 1)
        #expect(reports.first?.contains("FeedbackLifetimeTests.swift") == true)
    }

    @Test("FS-23, SR-41: cancelling discards queued events, of an ended effect too; not those of just")
    func withdrawal() {
        let bench = EffectBench(
            works: works,
            .whenBecomesTrue(state: \.flag) { _ in Effect<Signal>.sequence([.flag(false), .note("late")]) },
            .just(effects: Effect<Signal>.sequence([.note("a"), .note("b")])))
        #expect(bench.notes == ["a", "b"])
        bench.send(.flag(true))
        #expect(bench.notes == ["a", "b"])
        #expect(bench.outcomes == ["settled", "settled", "settled", "settled", "dropped(withdrawn)"])
    }

    @Test("FS-23: cancelling discards queued events while the loop is busy") func withdrawalWhileBusy() {
        let scheduler = TestScheduler()
        let reducer = Reducer<Board, Signal> { board, signal in
            guard case .note("wait") = signal else { return Board.reducer(board, signal) }
            return Board.reducer(board, signal).delay(.seconds(5))
        }
        let system = System(
            initialState: Board(flag: true), scheduler: scheduler, reducer: reducer,
            feedbacks: [.whenBecomesTrue(state: \.flag) { [works] _ in works.work("e", notesAfter: [1]) }])
        system.sendEvent(.note("wait"))
        system.sendEvent(.flag(false))
        scheduler.advance(by: .seconds(2))
        scheduler.advance(by: .seconds(3))
        #expect(system.state == Board(flag: false, notes: ["wait"]))
    }

    @Test("FS-25: events sent from an observer, an effect or a subscription are queued, not nested")
    func reentrance() {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let states = Log<Int>()
        let token = system.settled.subscribe { state in
            states.add(state)
            if state == 1 { system.sendEvent(2) }
            if state == 3 { system.sendEvent(3) }
        }
        system.sendEvent(1)
        #expect(states.entries == [0, 1, 3, 6])
        token.cancel()
    }

    @Test("FS-27: an event sent right after the system was made is reduced") func early() {
        let bench = EffectBench()
        let system = System(initialState: Board(), scheduler: bench.scheduler, reducer: Board.reducer)
        system.sendEvent(.note("early"))
        bench.advance(0)
        #expect(system.state.notes == ["early"])
    }

    @Test("FS-28: a system with an endless ticker is released, and the ticker is cancelled")
    func release() {
        let bench = EffectBench(
            works: works, .just(effects: works.work("ticker", notesAfter: [1, 2, 3], isEndless: true)))
        bench.advance(1)
        weak let system = bench.system
        bench.release()
        #expect(system == nil)
        #expect(works.entries == ["+ticker", "-ticker"])
        bench.advance(5)
        #expect(bench.records.count == 1)
    }

    @Test("FS-43: all feedbacks see one input before the next event, in the order of the list")
    func order() {
        let bench = EffectBench(
            .merging(events: { if case .set(let value) = $0 { value } else { nil } }) { _ in
                Promise<Signal>.value(.note("a"))
            },
            .merging(events: { if case .set(let value) = $0 { value } else { nil } }) { _ in
                Promise<Signal>.value(.note("b"))
            })
        for number in 1...2 { bench.send(.set(number)) }
        #expect(bench.notes == ["a", "b", "a", "b"])
    }

    @Test("FS-44: a cold system is a closure that makes one: two runs, each with its own end") func cold() {
        let scheduler = TestScheduler()
        let make = { [works] in
            System(
                initialState: Board(value: 1), scheduler: scheduler, reducer: Board.reducer,
                feedbacks: [.withLatest(state: \.value) { works.work("\($0)", notesAfter: [1]) }])
        }
        let first = make()
        var second: System<Board, Signal>? = make()
        scheduler.advance()
        #expect(works.take() == ["+1", "+1"])
        second = nil
        #expect(works.take() == ["-1"])
        scheduler.advance(by: .seconds(1))
        #expect(first.state.notes == ["1"])
        withExtendedLifetime(second) {}
    }

    @Test("FS-46: states, events and callbacks arrive on the scheduler") func place() {
        let scheduler = TestScheduler()
        let isElsewhere = Log<String>()
        @Sendable func check(_ what: String) { if !scheduler.isCurrent { isElsewhere.add(what) } }
        let system = System(
            initialState: Board(), scheduler: scheduler, reducer: Board.reducer,
            feedbacks: [
                .imperative { _ in
                    check("set up")
                    return { _, _ in check("event") }
                },
                .withLatest(state: \.value) { _ -> Effect<Signal> in
                    check("state")
                    return Effect { _ in check("effect") }
                },
            ])
        system.addLoopCallback { _ in check("callback") }
        system.onLoop { _ in check("record") }
        system.sendEvent(.set(1))
        scheduler.advance()
        #expect(isElsewhere.entries.isEmpty)
    }

    @Test("SR-41: merged effects end with the last of them, and are cancelled together")
    func merged() {
        let bench = EffectBench(
            works: works,
            .onEvent({ if case .set(let value) = $0 { value } else { nil } }, policy: .queue) { [works] in
                Effect.merge(works.work("\($0)a", notesAfter: [1]), works.work("\($0)b", notesAfter: [2]))
            })
        bench.send(.set(1), .set(2))
        bench.advance(1)
        #expect(works.take() == ["+1a", "+1b"])
        bench.advance(1)
        #expect(works.take() == ["+2a", "+2b"])
        bench.release()
        #expect(works.take().sorted() == ["-2a", "-2b"])
    }

    @Test(
        "SR-41: a merged effect that fails is reported, and the others keep running, and can still be cancelled"
    )
    func mergedFailing() {
        let bench = EffectBench(
            works: works,
            .lensingSkippingRepeated(state: \.value) { [works] number in
                Effect.merge(
                    works.work("\(number)"), Effect.promise(Promise<Signal>(error: TestError("part"))))
            })
        bench.send(.set(1))
        #expect(bench.errors.take() == ["part"])
        bench.send(.set(nil))
        #expect(works.entries == ["+1", "-1"])
    }

    @Test(
        "SR-41: a handler added after a cancellation is called at once; one added after an end is never called"
    )
    func lateOnCancel() {
        let handles = Log<EffectHandle<Signal>>()
        let bench = EffectBench(.lensingSkippingRepeated(state: \.value) { _ in Effect { handles.add($0) } })
        bench.send(.set(1), .set(2))
        handles.entries[0].onCancel { [works] in works.add("cancelled") }
        handles.entries[1].finish()
        handles.entries[1].onCancel { [works] in works.add("never") }
        handles.entries[1].fail(TestError("late"))
        bench.send(.set(nil))
        #expect(works.entries == ["cancelled"])
        #expect(bench.errors.entries.isEmpty)
    }

    @Test("SR-27: a released system leaves no timer of debounced work")
    func debouncedRelease() {
        let bench = EffectBench(
            works: works,
            .onEvent({ if case .set(let value) = $0 { value } else { nil } }, policy: .debounce(.seconds(5)))
            {
                [works] in works.work("\($0)")
            })
        bench.send(.set(1), .set(2))
        bench.release()
        #expect(bench.scheduler.pendingCount == 0)
    }
}
