import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite struct ReentrancyTests {
    /// Where an event is sent while another is processed.
    enum Place: String, CaseIterable { case reducer, body, binding, subscription, callback, record, handler }

    @Test("R12: an event sent from any callback is queued, never nested", arguments: Place.allCases)
    func sendInside(place: Place) {
        let log = Log<String>()
        let scheduler = TestScheduler()
        let link = Box<StepSystem?>(nil)
        @Sendable func visit(_ here: Place, _ state: String) {
            log.add("> \(here)")
            if here == place, state == "a" || state == "" { link.value?.sendEvent(.add("b")) }
            log.add("< \(here)")
        }
        let system = StepSystem(
            initialState: "start", scheduler: scheduler,
            reducer: { state, step in
                visit(.reducer, state == "start" ? "" : "later")
                return step.reduce(state)
            })
        scheduler.advance()
        system.addBinding { if $0 != "start" { visit(.binding, $0) } }
        scheduler.advance()
        let token = system.settled.subscribe(replayCurrent: false) { visit(.subscription, $0) }
        system.addLoopCallback { visit(.callback, $0) }
        system.onLoop { visit(.record, $0.after) }
        link.value = system
        let step = Step("a") { _ in
            Promise { resolver in
                visit(.body, "")
                resolver.fulfill("a")
            }
            .map { value in
                visit(.handler, "a")
                return value
            }
        }
        system.sendEvent(step)
        scheduler.advance()
        link.value = nil
        let turn = ["binding", "subscription", "callback", "record"].flatMap { ["> \($0)", "< \($0)"] }
        let first = ["reducer", "body", "handler"].flatMap { ["> \($0)", "< \($0)"] } + turn
        #expect(log.entries == first + ["> reducer", "< reducer"] + turn)
        #expect(system.state == "ab")
        token.cancel()
    }

    @Test("R12: a loading binding that sends neither nests nor overtakes the queue")
    func loadingBinding() {
        let bench = Bench()
        bench.system.addBinding { [weak system = bench.system] in
            if $0 == "L" { system?.sendEvent(.add("c")) }
        }
        bench.send(.add("a", after: .s(1), showing: "L"), .add("b"))
        bench.advance(1)
        #expect(bench.shown.entries == ["~L", "a", "ab", "abc"])
    }

    @Test("R12: onError and onLoop may send, stop and read")
    func onError() {
        let bench = Bench()
        bench.system.onError { [weak system = bench.system] error in
            system?.sendEvent(.add("after \(error)"))
        }
        bench.send(.fail("f"), .add("b"))
        bench.advance()
        #expect(bench.shown.entries == ["b", "bafter f"])
    }

    @Test("R12: a report handler may read the system: nothing is released under a lock")
    func diagnosticsMayRead() {
        // The loop releases the error of an outcome that arrives too late, and reports it.
        Reports.begin()
        let bench = Bench(timeLimit: { _ in .s(1) })
        let (promise, resolver) = Promise<String>.pending()
        final class Reading: Error, CustomStringConvertible {
            let system: StepSystem
            init(_ system: StepSystem) { self.system = system }
            var description: String { "reading-error \(system.state) \(system.history.count)" }
        }
        let system = bench.system
        bench.send(Step("a") { _ in promise.map { $0 } })
        bench.advance()
        // Both are due in the same drain, the limit first.
        bench.scheduler.schedule(after: .s(1)) { [weak system = bench.system] in
            guard let system else { return }
            resolver.reject(Reading(system))
        }
        bench.advance(1)
        #expect(system.state == "")
        #expect(bench.errors.count == 1)
        system.stop()
    }

    @Test("R12: two systems that answer each other do not nest")
    func twoSystems() {
        let log = Log<String>()
        let other = Box<System<Int, Int>?>(nil)
        let first = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let second = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        other.value = first
        first.addLoopCallback { state in
            log.add("> first \(state)")
            if state < 3 { second.sendEvent(1) }
            log.add("< first \(state)")
        }
        second.addLoopCallback { state in
            log.add("> second \(state)")
            other.value?.sendEvent(1)
            log.add("< second \(state)")
        }
        first.sendEvent(1)
        other.value = nil
        #expect(
            log.entries == [
                "> first 1", "> second 1", "< second 1", "< first 1", "> first 2", "> second 2", "< second 2",
                "< first 2", "> first 3", "< first 3",
            ])
    }
}
