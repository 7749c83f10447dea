import Dispatch
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct EventPolicyTests {
    @Test("replace cancels the running transition and goes first")
    func replace() {
        let bench = Bench()
        let cancelled = Log<String>()
        bench.send(.hang("old") { cancelled.add("old") }, .add("queued"))
        bench.advance()
        bench.send(.add("new", after: .s(1)), policy: .replace)
        bench.advance()
        #expect(cancelled.entries == ["old"])
        bench.advance(1)
        #expect(bench.shown.entries == ["new", "newqueued"])
        #expect(bench.errors.entries.isEmpty)
        #expect(bench.outcomes == ["1 old cancelled", "2 new settled", "3 queued settled"])
    }

    @Test("replace reverts the loading state if the replacing event shows none")
    func replaceWithdraws() {
        let bench = Bench()
        bench.send(.add("s"), .hang("old", showing: "L"))
        bench.advance()
        bench.send(.add("t", after: .s(1)), policy: .replace)
        bench.advance()
        #expect(bench.shown.entries == ["s", "~L", "s"])
        bench.advance(1)
        #expect(bench.shown.entries == ["s", "~L", "s", "st"])
        #expect(bench.records.entries.map { $0.shown.map(mark) } == [["s"], ["~L", "s"], ["st"]])
    }

    @Test("replace shows no settled state in between if the replacing event shows an interim one")
    func replaceGoesOnLoading() {
        let bench = Bench()
        bench.send(.add("s"), .hang("old", showing: "L"))
        bench.advance()
        bench.send(.add("t", after: .s(1), showing: "M", "N"), policy: .replace)
        bench.advance(1)
        #expect(bench.shown.entries == ["s", "~L", "~M", "~N", "st"])
        #expect(bench.records.entries.map { $0.shown.map(mark) } == [["s"], ["~L"], ["~M", "~N", "st"]])
    }

    @Test("replace by an event that fails reverts the loading state once")
    func replaceByFailure() {
        let bench = Bench()
        bench.send(.add("s"), .hang("old", showing: "L"))
        bench.advance()
        bench.send(.fail("f", showing: "M"), policy: .replace)
        bench.advance()
        #expect(bench.shown.entries == ["s", "~L", "~M", "s"])
        bench.send(.hang("older", showing: "L"))
        bench.advance()
        bench.send(.fail("g"), policy: .replace)
        bench.advance()
        #expect(bench.shown.entries == ["s", "~L", "~M", "s", "~L", "s"])
    }

    @Test("replace of a transition that showed nothing shows nothing")
    func replaceOfSilent() {
        let bench = Bench()
        bench.send(.hang("old"))
        bench.advance()
        bench.send(.add("new"), policy: .replace)
        bench.advance()
        #expect(bench.shown.entries == ["new"])
    }

    @Test("Several replacing events run in the order in which they arrived, each ending the one before")
    func replaceSeveral() {
        let bench = Bench()
        bench.send(.hang("1", showing: "a"), .add("q"))
        bench.advance()
        bench.send(.hang("2", showing: "b"), .hang("3", showing: "c"), .add("4"), policy: .replace)
        bench.advance()
        #expect(bench.shown.entries == ["~a", "~b", "~c", "", "4", "4q"])
        #expect(
            bench.outcomes == [
                "1 1 cancelled", "2 2 cancelled", "3 3 cancelled", "4 4 settled", "5 q settled",
            ])
    }

    @Test("replace goes before the queued events, also if the running transition has just settled")
    func replaceAfterSettling() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(.wait(for: promise), .add("queued", after: .s(1)))
        bench.advance()
        bench.system.addLoopCallback { [weak system = bench.system] state in
            if state == "a" { system?.sendEvent(.add("first"), policy: .replace) }
        }
        resolver.fulfill("a")
        bench.advance(1)
        #expect(bench.shown.entries == ["a", "afirst", "afirstqueued"])
        #expect(bench.outcomes == ["1 wait settled", "2 first settled", "3 queued settled"])
    }

    @Test(
        "replace from another thread goes before events that arrived earlier, at the next turn",
        arguments: [[], ["d"], ["d", "e"]])
    func replaceFromAnotherThread(before: [String]) {
        let bench = Bench()
        bench.system.addLoopCallback { [weak system = bench.system] state in
            guard state == "a" else { return }
            holding {
                for name in before { system?.sendEvent(.add(name)) }
                system?.sendEvent(.add("first"), policy: .replace)
            }
        }
        bench.send(.add("a"), .add("b"), .add("c"))
        bench.advance()
        #expect(bench.settled.entries.prefix(4) == ["a", "afirst", "afirstb", "afirstbc"])
        #expect(bench.system.state == "afirstbc" + before.joined())
    }

    @Test("replace while nothing runs processes the event like any other")
    func replaceWhileIdle() {
        let bench = Bench()
        bench.send(.add("a"), policy: .replace)
        bench.advance()
        #expect(bench.outcomes == ["1 a settled"])
    }

    @Test("The late outcome of a replaced transition changes nothing")
    func lateOutcome() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(.wait(for: promise))
        bench.advance()
        bench.send(.add("new", after: .s(1)), policy: .replace)
        bench.advance()
        resolver.fulfill("late")
        bench.advance(1)
        #expect(bench.shown.entries == ["new"])
    }

    @Test("An outcome that arrived before the replacing event is kept")
    func outcomeBeforeReplacement() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(.wait(for: promise))
        bench.advance()
        resolver.fulfill("a")
        bench.send(.add("b"), policy: .replace)
        bench.advance()
        #expect(bench.shown.entries == ["a", "ab"])
    }

    @Test("replace cancels the branch of the system, not the shared work that others use")
    func replaceOfShared() {
        let bench = Bench()
        let cancelled = Log<String>()
        let shared = Promise<String> { resolver in
            resolver.onCancel { cancelled.add("cancelled") }
            bench.scheduler.schedule(after: .s(1)) { resolver.fulfill("x") }
        }
        let other = Log<String>()
        shared.done { other.add($0) }
        bench.send(.wait(for: shared))
        bench.advance()
        bench.send(.add("new"), policy: .replace)
        bench.advance(1)
        #expect(other.entries == ["x"])
        #expect(cancelled.entries.isEmpty)
        #expect(bench.shown.entries == ["new"])
    }

    @Test("dropWhileBusy drops while a transition runs, and records the drop")
    func drop() {
        let bench = Bench()
        bench.send(.add("a"), policy: .dropWhileBusy)
        bench.send(.add("b", after: .s(1)))
        bench.advance()
        bench.send(.add("c"), policy: .dropWhileBusy)
        bench.advance(1)
        bench.send(.add("d"), policy: .dropWhileBusy)
        bench.advance()
        #expect(bench.shown.entries == ["a", "ab", "abd"])
        #expect(bench.outcomes == ["1 a settled", "2 c dropped", "2 b settled", "3 d settled"])
    }

    @Test("of two events with dropWhileBusy that arrive together, the second is dropped, also behind others")
    func dropSecond() {
        for isAsynchronous in [false, true] {
            let bench = Bench()
            bench.system.sendEvent(.add("a"))
            for name in ["b", "c"] {
                let step = isAsynchronous ? Step.add(name, after: .s(1)) : Step.add(name)
                bench.system.sendEvent(step, policy: .dropWhileBusy)
            }
            bench.system.sendEvent(.add("d"))
            bench.advance(2)
            #expect(bench.system.state == "abd")
            bench.system.sendEvent(.add("e"), policy: .dropWhileBusy)
            bench.advance()
            #expect(bench.system.state == "abde")
        }
    }

    @Test("two threads that send an event with dropWhileBusy at once have it processed once")
    func dropSecondOfThreads() async {
        for _ in 0..<rounds(20, stress: 500) {
            let scheduler = QueueScheduler.serial("drops")
            let system = System<Int, Int>(
                initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
                configuration: .init(eventPolicy: { $0 == 1 ? .dropWhileBusy : .queue }))
            let (both, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // The scheduler is busy until both have sent.
            scheduler.schedule {
                entered.signal()
                both.wait()
            }
            entered.wait()
            system.sendEvent(1)
            system.sendEvent(1)
            both.signal()
            await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
            #expect(system.state == 1)
        }
    }

    @Test("dropWhileBusy applies on arrival: dropped from the reducer, a loading binding and a promise body")
    func dropOnArrival() {
        for settlesAtOnce in [true, false] {
            let bench = Bench()
            bench.system.addBinding { [weak system = bench.system] state in
                if state == "L" { system?.sendEvent(.add("2"), policy: .dropWhileBusy) }
            }
            let step = Step("a") { [weak system = bench.system] _ in
                system?.sendEvent(.add("1"), policy: .dropWhileBusy)
                return settlesAtOnce
                    ? Promise.value("a").interim("L") : Promise { $0.fulfill("a") }.interim("L")
            }
            bench.send(step)
            bench.advance()
            #expect(bench.shown.entries == ["~L", "a"])
            #expect(bench.outcomes == ["1 1 dropped", "1 2 dropped", "1 a settled"])
        }
    }

    @Test("dropWhileBusy does not drop an event that is sent by an observer of the settled state")
    func noDropAfterSettling() {
        let bench = Bench()
        bench.system.addLoopCallback { [weak system = bench.system] state in
            if state == "a" { system?.sendEvent(.add("b"), policy: .dropWhileBusy) }
        }
        bench.send(.add("a", after: .s(1)), .add("q"))
        bench.advance(1)
        #expect(bench.outcomes == ["1 a settled", "2 q settled", "3 b settled"])
    }

    @Test("The system's policy is evaluated for each event; the sender's policy takes precedence")
    func policyOfSystem() {
        let bench = Bench(eventPolicy: { $0.description == "r" ? .replace : .dropWhileBusy })
        bench.send(.hang("1"))
        bench.advance()
        bench.send(.add("dropped"), .hang("r"))
        bench.advance()
        #expect(bench.outcomes == ["1 dropped dropped", "1 1 cancelled"])
        bench.send(.add("kept"), policy: .queue)
        bench.send(.add("r"))
        bench.advance()
        #expect(bench.system.state == "rkept")
    }
}
