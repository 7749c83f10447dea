import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct QueueTests {
    @Test("PK-07: on the system's own scheduler and idle, the reducer has run when sendEvent returns")
    @MainActor func sendOnMain() {
        let system = StepSystem.pure(
            initialState: "", reducer: { state, step in step.reduce(state) }, uiBindings: [])
        system.sendEvent(.add("a"))
        #expect(system.state == "a")
        system.sendEvent(.add("b"))
        #expect(system.state == "ab")
    }

    @Test("PK-07: off the scheduler an event is enqueued")
    func sendFromElsewhere() {
        let bench = Bench()
        bench.send(.add("a"), .add("b"))
        #expect(bench.system.state == "")
        bench.advance()
        #expect(bench.system.state == "ab")
        #expect(bench.bound.entries == ["a", "ab"])
    }

    @Test("R11: an event from another thread goes behind the queued ones")
    func behindWhatWaits() {
        let bench = Bench()
        bench.send(.add("a", after: .s(1)), .add("b"))
        bench.advance()
        bench.system.addLoopCallback { [weak system = bench.system] state in
            if state == "a" { holding { system?.sendEvent(.add("c")) } }
        }
        bench.advance(1)
        #expect(bench.settled.entries == ["a", "ab", "abc"])
    }

    @Test("PK-07: on a virtual scheduler too the reducer has run before sendEvent returns")
    func sendInside() {
        let bench = Bench()
        let seen = Log<String>()
        bench.scheduler.schedule { [system = bench.system] in
            system.sendEvent(.add("a"))
            seen.add(system.state)
            system.sendEvent(.add("b", after: .s(1)))
            system.sendEvent(.add("c"))
            seen.add(system.state)
        }
        bench.advance(1)
        #expect(seen.entries == ["a", "a"])
        #expect(bench.system.state == "abc")
    }

    @Test("PK-07: an event sent earlier from elsewhere goes before one sent on the scheduler")
    func mixedSenders() {
        let bench = Bench()
        bench.send(.add("a"))
        let seen = Log<String>()
        // Scheduled before the loop was: the message of the other sender is pending already.
        let scheduler = TestScheduler()
        let system = StepSystem(
            initialState: "", scheduler: scheduler, reducer: { state, step in step.reduce(state) })
        scheduler.advance()
        scheduler.schedule {
            system.sendEvent(.add("b"))
            seen.add(system.state)
        }
        system.sendEvent(.add("a"))
        scheduler.advance()
        #expect(seen.entries == ["ab"])
        #expect(system.state == "ab")
    }

    @Test(
        "PK-08: events are queued while a transition is pending and run in order, on the result of the one before"
    )
    func queueing() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(.wait(for: promise), .add("b"), .add("c", after: .s(1)), .add("d"))
        bench.advance(10)
        #expect(bench.bound.entries.isEmpty)
        resolver.fulfill("a")
        bench.advance()
        #expect(bench.bound.entries == ["a", "ab"])
        bench.advance(1)
        #expect(bench.bound.entries == ["a", "ab", "abc", "abcd"])
    }

    @Test("PK-09: an event sent by a binding goes behind the queued ones, never nested")
    func sendFromBinding() {
        let log = Log<String>()
        let scheduler = TestScheduler()
        let link = Box<StepSystem?>(nil)
        let system = StepSystem(
            initialState: "", scheduler: scheduler,
            uiBindings: [
                { state in
                    log.add("enter \(state)")
                    if state == "x" { link.value?.sendEvent(.add("y")) }
                    log.add("exit \(state)")
                }
            ], reducer: { state, step in step.reduce(state) })
        link.value = system
        system.sendEvent(.add("x"))
        system.sendEvent(.add("z"))
        scheduler.advance()
        link.value = nil
        #expect(
            log.entries == [
                "enter ", "exit ", "enter x", "exit x", "enter xz", "exit xz", "enter xzy", "exit xzy",
            ])
    }

    @Test("R10: very many queued events run on a small stack")
    func manyQueued() async {
        await onSmallStack {
            let scheduler = TestScheduler()
            let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
            let count = rounds(10_000, stress: 100_000)
            for _ in 0..<count { system.sendEvent(1) }
            scheduler.advance()
            #expect(system.state == count)
        }
    }

    @Test("R10: very many events, each sent by the last binding of the one before, run on a small stack")
    func manyFromBinding() async {
        await onSmallStack {
            let count = rounds(10_000, stress: 50_000)
            let link = Box<System<Int, Int>?>(nil)
            let system = System<Int, Int>(
                initialState: 0, scheduler: .immediate,
                uiBindings: [{ _ in }, { if $0 > 0, $0 < count { link.value?.sendEvent(1) } }]
            ) { .value($0 + $1) }
            link.value = system
            system.sendEvent(1)
            #expect(system.state == count)
            link.value = nil
        }
    }

    @Test(
        "R10: many transitions that settle on their own, each sent by the one before, run on a small stack")
    func manyFromPromises() async {
        await onSmallStack {
            let count = rounds(5_000, stress: 20_000)
            let link = Box<System<Int, Int>?>(nil)
            let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { state, event in
                Promise { resolver in
                    if state + event < count { link.value?.sendEvent(1) }
                    resolver.fulfill(state + event)
                }
            }
            link.value = system
            system.sendEvent(1)
            #expect(system.state == count)
            link.value = nil
        }
    }
}
