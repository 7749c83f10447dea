import PromisedSystem
import PromisedTesting
import Testing

@Suite struct HistoryTests {
    @Test("The deinit of a state that leaves the history can read the history", arguments: [1, 3, 70])
    func endReads(limit: Int) {
        let kept = Box<System<Witness, Int>?>(nil)
        let ended = Log<Int>()
        let make: @Sendable (Int) -> Witness = { _ in Witness { ended.add(kept.value?.history.count ?? -1) } }
        kept.value = System(
            initialState: make(0), scheduler: .immediate, reducer: { .value(make($1)) },
            configuration: .init(history: .last(limit))
        )
        for number in 1...200 { kept.value?.sendEvent(number) }
        #expect(ended.count > 60)
        #expect(ended.entries.allSatisfy { $0 == limit })
        kept.value = nil
    }

    @Test("PK-23: initial, loading and settled states are kept in the order in which they were shown")
    func everything() {
        let bench = Bench(history: .unlimited)
        bench.send(.add("a", after: .s(1), showing: "L"), .fail("f", showing: "M"), .add("b"))
        bench.advance(1)
        #expect(Array(bench.system.history) == ["", "L", "a", "M", "a", "ab"])
    }

    @Test("PK-23: a limit of three keeps the last three of five")
    func lastThree() {
        let bench = Bench(history: .last(3))
        bench.send(.add("a"), .add("b"), .add("c"), .add("d"))
        bench.advance()
        #expect(Array(bench.system.history) == ["ab", "abc", "abcd"])
        let log = Log<[String]>()
        bench.system.addLoopCallback { _, history in log.add(history) }
        bench.send(.add("e"))
        bench.advance()
        #expect(log.entries == [["abc", "abcd", "abcde"]])
    }

    @Test("PK-23: the general form keeps none by default")
    func none() {
        let bench = Bench()
        bench.send(.add("a"))
        bench.advance()
        #expect(bench.system.history.isEmpty)
    }

    @Test("PK-23: System.pure keeps the last 1,000")
    @MainActor func pure() {
        let system = System<Int, Int>.pure(
            initialState: 0, reducer: { .value($0 + $1) }, uiBindings: [])
        for _ in 0..<1500 { system.sendEvent(1) }
        #expect(Array(system.history) == Array(501...1500))
        let all = System<Int, Int>.pure(
            initialState: 0, reducer: { .value($0 + $1) }, uiBindings: [],
            configuration: .init(history: .unlimited))
        for _ in 0..<1500 { all.sendEvent(1) }
        #expect(Array(all.history) == Array(0...1500))
    }

    @Test("A copy of the history does not change later")
    func snapshot() {
        let bench = Bench(history: .unlimited)
        bench.send(.add("a"))
        bench.advance()
        let snapshot = bench.system.history
        bench.send(.add("b"))
        bench.advance()
        #expect(Array(snapshot) == ["", "a"])
        #expect(bench.system.history.last == "ab")
    }
}
