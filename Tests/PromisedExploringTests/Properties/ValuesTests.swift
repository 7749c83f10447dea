import PromisedExploring
import PromisedSystem
import Testing

@Suite struct ValuesTests {
    @Test("values are listed with the simplest first")
    func lists() {
        #expect(Values.integers(in: -2...3) == [0, 1, -1, 2, -2, 3])
        #expect(Values.integers(in: 5...7) == [5, 6, 7])
        #expect(Values.strings(of: "ab", upTo: 2) == ["", "a", "b", "aa", "ab", "ba", "bb"])
        #expect(
            Values.pairs([0, 1], ["a", "b"]).map { "\($0)\($1)" } == ["0a", "0b", "1a", "1b"])
    }

    @Test("events and outcomes of a violating walk are shrunk to the simplest")
    func shrunk() throws {
        let explorer = Explorer<Int, Int>(events: Values.integers(in: -100...100)) { world in
            world.always("less than 100") { $0 < 100 }
            return System(initialState: 0, scheduler: world.scheduler) { sum, number in
                world.call("add", .values(0...60)).map { sum + number + $0 }
            }
        }
        let found = try #require(explorer.explore(walks: 20, length: 30, seed: 5).counterexample)
        #expect(found.steps == [.send(43), .answer("add", "57")])
        #expect(
            explorer.explore(walks: 20, length: 30, seed: 5).counterexample?.steps == found.steps)
    }

    @Test("the first of several shortest counterexamples is the one with the simplest values")
    func exhaustive() {
        let explorer = Explorer<String, String>(events: Values.strings(of: "ab", upTo: 2)) { world in
            world.always("no b") { !$0.contains("b") }
            return System(initialState: "", scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let found = explored(explorer, depth: 2)
        #expect(found.steps == [.send("b")])
        #expect(found.isSame)
    }

    @Test("a walk takes steps by weight, the same on every machine")
    func weights() {
        let explorer = Order.explorer { world in world.sometimes("placed") { $0 == .placed } }
        let sends = explorer.walk(length: 20, seed: 1) { if case .send(.new) = $0 { 1 } else { 0 } }
        #expect(sends.map(\.step) == Array(repeating: .send(.new), count: 20))
        let answers = explorer.walk(length: 200, seed: 1) { if case .answer = $0 { 50 } else { 1 } }
        let alike = explorer.walk(length: 200, seed: 1)
        func count(_ entries: [TraceEntry<Order.State, Order.Event>]) -> Int {
            entries.count { if case .answer = $0.step { true } else { false } }
        }
        #expect(count(answers) > count(alike))
        #expect(explorer.walk(length: 5, seed: 1) { _ in 0 }.isEmpty)
        #expect(explorer.walk(length: 5, seed: 1) { _ in -1 }.isEmpty)
        #expect(Set(explorer.walk(length: 50, seed: 1) { _ in .max }.map(\.step)).count > 2)
        #expect(explorer.check(walks: 2, length: 5, weight: { _ in 1 }).steps == 10)
    }
}
