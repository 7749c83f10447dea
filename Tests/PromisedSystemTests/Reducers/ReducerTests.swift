import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite struct ReducerTests {
    typealias Step = Reducer<Int, Int>

    private static func add(_ number: Int) -> Step {
        Step { state, event in state = state &* 3 &+ event &+ number }
    }
    private static func later(_ number: Int) -> Step {
        Step { state, event in
            Promise.value(state &* 5 &- event &+ number).delay(.seconds(1)).stateWhenLoading(number)
        }
    }
    private static func fails(_ name: String) -> Step { Step { _, _ in Promise(error: TestError(name)) } }

    @Test(
        "FS-03, FS-39, SR-09: a reducer is tested without a system, by a table whose rows are checked twice")
    func alone() throws {
        let rows: [(Board, Signal, Board)] = [
            (Board(), .set(1), Board(value: 1)),
            (Board(value: 1), .flag(true), Board(value: 1, flag: true)),
            (Board(notes: ["a"]), .note("b"), Board(notes: ["a", "b"])),
        ]
        for (state, event, expected) in rows {
            for _ in 0..<2 { #expect((try Board.reducer(state, event).result?.get()) == expected) }
        }
    }

    @Test("SR-09: a reducer may return the next state") func returning() throws {
        let reducer = Reducer<Int, Int>(returning: { $0 + $1 })
        #expect(try (reducer <> .identity)(1, 2).result?.get() == 3)
    }

    @Test("One reducer changes the state in place for one event, and returns a promise for another")
    func mixed() {
        let scheduler = TestScheduler()
        let reducer = Reducer<Board, Signal> { board, signal in
            switch signal {
            case .set(let value):
                board.value = value
                return nil
            case .note(let text):
                board.flag = true
                return Promise.value(Board(value: board.value, notes: [text])).delay(.seconds(1))
                    .stateWhenLoading(Board(value: -1))
            case .flag: return Promise(error: TestError("flag"))
            }
        }
        let system = System(initialState: Board(), scheduler: scheduler, reducer: reducer)
        let (shown, errors) = (Log<Shown<Board>>(), Log<String>())
        let token = system.shown.subscribe(replayCurrent: false) { shown.add($0) }
        system.onError { errors.add("\($0)") }
        for signal in [Signal.set(1), .note("a"), .flag(true), .set(2)] { system.sendEvent(signal) }
        scheduler.advance()
        #expect(shown.take() == [.settled(Board(value: 1)), .loading(Board(value: -1))])
        scheduler.advance(by: .seconds(1))
        #expect(
            shown.take() == [
                .settled(Board(value: 1, notes: ["a"])), .settled(Board(value: 2, notes: ["a"])),
            ])
        #expect(errors.entries == ["flag"])
        withExtendedLifetime(token) {}
    }

    @Test("A reducer of both kinds can be combined with others before and after it")
    func mixedCombined() throws {
        let mixed = Step { state, event in
            if event > 0 {
                state += event
                return nil
            }
            return .value(state - 1)
        }
        let doubled = Step { state, _ in state *= 2 }
        #expect(try (mixed <> doubled)(1, 2).result?.get() == 6)
        #expect(try (doubled <> mixed)(1, 2).result?.get() == 4)
        #expect(try (mixed <> doubled)(3, 0).result?.get() == 4)
    }

    /// What a system with this reducer shows and how its turn ends.
    private func told(_ reducer: Step, _ state: Int, _ event: Int) -> [String] {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let system = System(initialState: state, scheduler: scheduler, reducer: reducer)
        system.addLoopCallback { log.add("\($0)") }
        system.onError { log.add("\($0)") }
        system.sendEvent(event)
        scheduler.run()
        return log.entries + ["= \(system.state)"]
    }

    @Test("SR-10: grouping makes no difference, and identity on either side is a no-op: random triples")
    func monoid() {
        let seed = firstSeed()
        var random = SeededGenerator(seed: seed)
        func any() -> Step {
            let number = Int.random(in: -9...9, using: &random)
            return switch Int.random(in: 0..<5, using: &random) {
            case 0: Self.later(number)
            case 1: .identity
            case 2: Int.random(in: 0..<6, using: &random) == 0 ? Self.fails("\(number)") : Self.add(number)
            default: Self.add(number)
            }
        }
        for _ in 0..<rounds(100, stress: 1000) {
            let (a, b, c) = (any(), any(), any())
            let (state, event) = (
                Int.random(in: -9...9, using: &random), Int.random(in: -9...9, using: &random)
            )
            let left = told((a <> b) <> c, state, event)
            #expect(left == told(a <> (b <> c), state, event), "seed \(seed)")
            #expect(left == told(.combined(a, b, c), state, event), "seed \(seed)")
            #expect(told(a, state, event) == told(.identity <> a, state, event), "seed \(seed)")
            #expect(told(a, state, event) == told(a <> .identity, state, event), "seed \(seed)")
        }
    }

    @Test(
        "SR-12, SR-13: with a sanity reducer last, observers are notified once per event, with corrected states only"
    )
    func sanity() {
        let clamp = Step { state, _ in state = min(state, 10) }
        let system = System(
            initialState: 0, scheduler: .immediate, reducer: Step { $0 += $1 } <> Step { $0 += $1 } <> clamp)
        let seen = Log<Int>()
        let token = system.settled.subscribe(replayCurrent: false) { seen.add($0) }
        system.sendEvent(4)
        system.sendEvent(4)
        #expect(seen.entries == [8, 10])
        token.cancel()
    }

    @Test(
        "the left settles first, its result is the right's input; interim states pass through plain steps"
    )
    func asynchronous() {
        let shown = told(Self.later(7) <> Self.add(1), 1, 0)
        #expect(shown == ["22", "37", "= 37"])
        #expect(told(Self.later(7) <> Self.later(8), 1, 0) == ["7", "8", "68", "= 68"])
        #expect(told(Self.later(7) <> Self.fails("x"), 1, 0) == ["7", "1", "x", "= 1"])
        #expect(told(Self.fails("x") <> Self.later(7), 1, 0) == ["x", "= 1"])
    }

    @Test("SR-53: with a locale in the state, changing the locale derives the texts again") func locale() {
        struct Prices: Sendable, Equatable { var price = 1.5, mark = ".", text = "" }
        let system = System(
            initialState: Prices(), scheduler: .immediate,
            reducer: Reducer<Prices, String> { state, mark in state.mark = mark }
                <> Reducer { state, _ in
                    state.text = "\(state.price)".split(separator: ".").joined(separator: state.mark)
                })
        system.sendEvent(",")
        #expect(system.state.text == "1,5")
    }
}
