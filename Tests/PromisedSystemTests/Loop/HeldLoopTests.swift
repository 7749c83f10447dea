import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// The facts that a held loop notes for its probe.
@Suite struct HeldLoopTests {
    private let scheduler = TestScheduler()
    private let log: FactLog
    private let system: System<Int, Int>
    private let counts = HoldCounts()

    init() {
        log = FactLog(scheduler)
        system = System(
            initialState: 0, scheduler: scheduler, configuration: log.configuration()
        ) { state, event in
            event < 100 ? .value(state + event) : Promise.value(state + event).delay(.seconds(1))
        }
        scheduler.advance()
        _ = log.take()
    }

    private func facts(_ body: () -> Void) -> [String] {
        body()
        scheduler.advance()
        return log.take()
    }

    @Test("Events that wait are noted when they are processed, in their order; dropped ones at once")
    func arrivals() {
        system.hold(dropping: false, counts)
        #expect(facts { for event in [1, 2] { system.sendEvent(event) } } == [])
        system.hold(dropping: true, counts)
        #expect(facts { system.sendEvent(3) } == ["sent 1 3", "dropped 1 withdrawn"])
        #expect((counts.waiting, counts.dropped) == (2, 1))
        #expect(
            facts { system.step() } == [
                "sent 2 1", "sent 3 2", "begins 1 of 2 1 0", "committed 1", "ends 1 settled",
            ])
        #expect(
            facts { system.release() } == ["begins 2 of 3 2 1", "committed 3", "ends 2 settled"])
        #expect((counts.waiting, counts.dropped) == (0, 1))
    }

    @Test(
        "An event by hand is noted like others; a state that is settled on cancels the transition in flight")
    func byHand() {
        system.hold(dropping: false, counts)
        let origin = Origin("HeldLoopTests", 1)
        #expect(
            facts { system.sendByHand(1, origin) } == [
                "sent 1 1", "begins 1 of 1 1 0", "committed 1", "ends 1 settled",
            ])
        #expect(facts { system.sendByHand(100, origin) } == ["sent 2 100", "begins 2 of 2 100 1", "pends 2"])
        #expect(facts { system.settle(on: 7) {} } == ["ends 2 cancelled", "reverted 7"])
        scheduler.advance(by: .seconds(2))
        #expect(facts { system.release() } == [])
        #expect(system.state == 7)
        #expect(
            facts { system.sendEvent(1) } == [
                "sent 3 1", "begins 3 of 3 1 7", "committed 8", "ends 3 settled",
            ])
    }

    @Test("A large state that is settled on is seen by an in-place reducer, readers and observers of changes")
    func inPlace() {
        let system = System<[Int], Int>(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) })
        let changes = Log<String>()
        system.observe(
            willChange: { changes.add("will \($0) \($1)") }, didChange: { changes.add("did \($0) \($1)") })
        scheduler.advance()
        system.sendEvent(1)
        scheduler.advance()
        system.settle(on: [5]) {}
        scheduler.advance()
        system.sendEvent(2)
        scheduler.advance()
        #expect(system.state == [5, 2])
        #expect(
            changes.entries == [
                "will [] [1]", "did [] [1]", "will [1] [5]", "did [1] [5]", "will [5] [5, 2]",
                "did [5] [5, 2]",
            ])
    }
}
