import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

/// Events that are sent in some states only.
@Suite struct SendingTests {
    @Test(
        "an event is sent only where the condition is true, and what was left out is a gap unless it is exact"
    )
    func condition() {
        let explorer = counter.sending { count, event in event == 1 || count > 0 }
        let exploration = explorer.explore(depth: 9)
        #expect(exploration.states.sorted() == [0, 1, 2, 3])
        #expect(exploration.gaps == [.events] && !exploration.isComplete)
        #expect(Gap.events.description == "events were left out in some states")
        let exact = counter.sending(isExact: true) { count, event in event == 1 || count > 0 }
        #expect(exact.explore(depth: 9).isComplete)
        #expect(counter.explore(depth: 9).states.contains(-1))
        // Nothing was left out.
        #expect(!counter.sending { _, _ in true }.explore(depth: 9).gaps.contains(.events))
    }

    @Test("of several conditions all must be true, also with a view")
    func several() {
        let explorer = counter.sending(isExact: true) { count, event in event == 1 || count > 0 }
            .sending(isExact: true) { count, _ in count < 2 }
            .viewed(by: { $0 }, isExact: true)
        let exploration = explorer.explore(depth: 9)
        #expect(exploration.states.sorted() == [0, 1, 2] && exploration.isComplete)
    }

    @Test("equal elements: the first of them is enough")
    func equalElements() {
        let all = rows, first = rows.sending(isExact: true) { $0.firstIndex(of: $0[$1]) == $1 }
        let (whole, reduced) = (all.explore(depth: 14), first.explore(depth: 14))
        #expect(whole.isComplete && reduced.isComplete)
        #expect(Set(whole.states.map { $0.sorted() }) == Set(reduced.states.map { $0.sorted() }))
        #expect(reduced.configurations < whole.configurations / 2)
    }

    @Test("an event that is not sent any more after an answer is enqueued before it")
    func notAfterwards() {
        for merging in [Merging.none, .equalConfigurations] {
            let explorer = Explorer<String, String>(events: ["load", "tap"]) { world in
                System(initialState: "", scheduler: world.scheduler) { state, event in
                    event == "load" ? world.call("load", .value("loaded")) : .value(state + "!")
                }
            }.sending(isExact: true) { state, _ in state.isEmpty }
            let exploration = explorer.explore(depth: 4, .init(merging: merging))
            #expect(Set(exploration.states) == ["", "!", "loaded", "loaded!", "loaded!!"])
        }
    }

    @Test("random walks and their shrinking send no other events; a replayed script may")
    func walks() {
        let explorer = Explorer<Int, Int>(events: [1, 2, 3]) { world in
            world.always("not five") { $0 != 5 }
            return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
        }.sending { count, event in event != 3 || count == 2 }
        let found = explorer.explore(walks: 50, length: 6)
        var count = 0
        for entry in found.counterexample?.trace ?? [] {
            if case .send(let number) = entry.step {
                #expect(number != 3 || count == 2)
                count += number
            }
        }
        #expect(count == 5)
        #expect(explorer.replay(.send(3)).last?.shown == [.settled(3)])
    }

    @Test("a saved exploration is resumed with the same condition")
    func saved() throws {
        let explorer = counter.sending { count, event in event == 1 || count > 0 }
        let part = explorer.explore(depth: 9, .init(stepLimit: 3))
        let whole = try resumed(part, by: explorer, depth: 9)
        #expect(whole.states.sorted() == [0, 1, 2, 3] && whole.gaps == [.events])
    }

    private var counter: Explorer<Int, Int> {
        Explorer(events: [1, -1]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = min($0 + $1, 3) })
        }
    }

    private var rows: Explorer<[Int], Int> {
        Explorer(events: [0, 1, 2]) { world in
            System(initialState: [0, 0, 0], scheduler: world.scheduler) { rows, tapped in
                var next = rows
                next[tapped] = min(next[tapped] + 1, 3)
                return .value(next)
            }
        }
    }
}
