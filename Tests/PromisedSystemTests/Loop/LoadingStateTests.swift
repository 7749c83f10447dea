import PromisedSystem
import PromisedTesting
import Testing

@Suite struct LoadingStateTests {
    @Test("PK-10: a loading state is shown before the result and never becomes current")
    func loading() {
        let bench = Bench()
        let inputs = Log<String>()
        bench.send(
            .add("a", after: .s(1), showing: "L"),
            Step("next") { state in
                inputs.add(state)
                return .value(state + "b")
            })
        bench.advance()
        #expect(bench.shown.entries == ["~L"])
        #expect(bench.bound.entries == ["L"])
        #expect(bench.system.state == "")
        #expect(bench.system.settled.value == "")
        #expect(bench.system.shown.value == .loading("L"))
        bench.advance(1)
        #expect(bench.shown.entries == ["~L", "a", "ab"])
        #expect(inputs.entries == ["a"])
        #expect(bench.settled.entries == ["a", "ab"])
    }

    @Test("PK-10: a failure shows nothing again if only an earlier turn has shown a loading state")
    func failureAfterLoading() {
        let bench = Bench()
        bench.send(.add("a", after: .s(1), showing: "L"), .fail("f"), .add("b"), .fail("g", after: .s(1)))
        bench.advance(2)
        #expect(bench.shown.entries == ["~L", "a", "ab"])
        #expect(bench.errors.entries == ["f", "g"])
    }

    @Test("PK-10: a transition that has settled already shows its loading state first")
    func loadingOfSettled() {
        let bench = Bench()
        bench.send(Step("a") { _ in Promise.value("a").stateWhenLoading("L") })
        bench.advance()
        #expect(bench.shown.entries == ["~L", "a"])
        #expect(bench.records.entries.first?.shown == [.loading("L"), .settled("a")])
    }

    @Test("Interim values are shown as they arrive, leading ones first")
    func interimValues() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(Step("a") { _ in promise.interim("1").interim("0") })
        bench.advance()
        #expect(bench.shown.entries == ["~0", "~1"])
        resolver.report("2")
        resolver.report("3")
        bench.advance()
        #expect(bench.shown.entries == ["~0", "~1", "~2", "~3"])
        resolver.report("4")
        resolver.fulfill("a")
        resolver.report("5")
        bench.advance()
        #expect(bench.shown.entries == ["~0", "~1", "~2", "~3", "~4", "a"])
        #expect(bench.settled.entries == ["a"])
    }

    @Test("A failing transition that showed a loading state shows the settled one again")
    func withdrawal() {
        let bench = Bench()
        bench.send(.add("s"), .fail("loading-fails", after: .s(1), showing: "L"), .add("t"))
        bench.advance()
        #expect(bench.shown.entries == ["s", "~L"])
        bench.advance(1)
        #expect(bench.shown.entries == ["s", "~L", "s", "st"])
        #expect(bench.settled.entries == ["s", "st"])
        #expect(bench.errors.entries == ["loading-fails"])
        #expect(bench.system.shown.value == .settled("st"))
        #expect(
            bench.records.entries.map { $0.shown.map(mark) } == [["s"], ["~L", "s"], ["st"]])
    }

    @Test("A failing transition that showed nothing shows nothing")
    func noWithdrawal() {
        let bench = Bench()
        bench.send(.add("s"), .fail("plain", after: .s(1)))
        bench.advance(1)
        #expect(bench.shown.entries == ["s"])
    }

    @Test("The loading state of a failed transition is not reverted a second time by the next one")
    func withdrawalOnce() {
        let bench = Bench()
        bench.send(.fail("one", showing: "L"), .fail("two"), .fail("three", after: .s(1)))
        bench.advance(1)
        #expect(bench.shown.entries == ["~L", ""])
    }

    @Test("A reported interim value is reverted as well")
    func withdrawalOfReported() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(Step("a") { _ in promise })
        bench.advance()
        resolver.report("L")
        resolver.reject(TestError("reported-interim"))
        bench.advance()
        #expect(bench.shown.entries == ["~L", ""])
    }

    @Test("The loading state belongs to one use of a promise, not to the shared work")
    func notShared() {
        let bench = Bench()
        let shared = Promise<String> { $0.fulfill("x") }
        bench.send(Step("a") { _ in shared.stateWhenLoading("L") }, Step("b") { _ in shared })
        bench.advance()
        #expect(bench.shown.entries == ["~L", "x", "x"])
    }

    @Test("A late interim value of an ended transition shows nothing")
    func lateInterim() {
        let bench = Bench(timeLimit: { _ in .s(1) })
        let (promise, resolver) = Promise<String>.pending()
        bench.send(Step("a") { _ in promise })
        bench.advance(1)
        #expect(bench.errors.count == 1)
        resolver.report("late")
        resolver.fulfill("late")
        bench.advance()
        #expect(bench.shown.entries.isEmpty)
    }
}
