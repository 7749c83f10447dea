import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// A system as the store of a store-middleware-reducer design.
@Suite(.tags(.sharedState)) struct StoreTests {
    @Test("SR-01: one input and one output are all that a user needs") func inAndOut() {
        let system = System<Int, Int>(initialState: 1, scheduler: .immediate) { .value($0 + $1) }
        let input: @Sendable (Int) -> Void = { system.sendEvent($0) }
        let output = system.settled
        let heard = Log<Int>()
        let token = output.subscribe { heard.add($0) }
        input(2)
        #expect(output.value == 3)
        #expect(heard.entries == [1, 3])
        token.cancel()
    }

    private final class View: Sendable {
        let texts = Log<String>()
        let name: String

        init(_ name: String) { self.name = name }

        func attach(to system: System<[String], String>) {
            system.addBinding { [weak self] in self?.texts.add($0.joined()) }
        }
    }

    @Test("SR-03: releasing a view while work runs cancels nothing; the next view gets the result")
    func lifeApart() {
        let scheduler = TestScheduler()
        func store() -> System<[String], String> {
            System(initialState: [], scheduler: scheduler) { Promise.value($0 + [$1]).delay(.seconds(2)) }
        }
        let (store, other) = (store(), store())
        var view: View? = View("first")
        weak let first = view
        view?.attach(to: store)
        store.sendEvent("a")
        scheduler.advance(by: .seconds(1))
        view = nil
        #expect(first == nil)
        scheduler.advance(by: .seconds(1))
        #expect(store.state == ["a"])
        let second = View("second")
        second.attach(to: store)
        scheduler.advance()
        #expect(second.texts.entries == ["a"])
        // Separate stores share nothing.
        #expect(other.state == [])
    }

    @Test("SR-04: a reducer is enough; middleware lives exactly as long as the store")
    func base() {
        let plain = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        plain.sendEvent(3)
        #expect(plain.state == 3)

        let ended = Log<String>()
        var store: System<Int, Int>?
        do {
            let witness = Witness { ended.add("middleware") }
            let middleware = Middleware<Int, Int>(before: { _, _ in
                witness.touch()
                return .pass
            })
            store = System(initialState: 0, scheduler: .immediate, middleware: middleware) { .value($0 + $1) }
        }
        store?.sendEvent(1)
        #expect(store?.state == 1)
        #expect(ended.entries.isEmpty)
        store = nil
        #expect(ended.entries == ["middleware"])
    }

    @Test(
        "SR-07: events from two threads are reduced in the order of arrival, each before middleware sees the next"
    )
    func queue() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let look = Middleware<[String], String>(before: { event, system in
            log.add("look at \(event) with \(system.state.joined())")
            return .pass
        })
        let system = System<[String], String>(initialState: [], scheduler: scheduler, middleware: look) {
            state, event in
            log.add("reduce \(event)")
            let next = Promise.value(state + [event])
            return event == "a" ? next.delay(.seconds(1)) : next
        }
        // One sender is off the scheduler, the other on it, while "a" is still in flight.
        system.sendEvent("a")
        scheduler.schedule(after: .seconds(1)) { system.sendEvent("b") }
        scheduler.advance()
        system.sendEvent("c")
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["a", "c", "b"])
        #expect(
            log.entries == [
                "look at a with ", "reduce a", "look at c with a", "reduce c", "look at b with ac",
                "reduce b",
            ])
    }

    @Test("SR-20: an event that is the action itself is reduced once, unchanged") func directLine() {
        let reduced = Log<String>()
        let direct = Middleware<[String], String>(before: { _, _ in .pass })
        let system = System<[String], String>(initialState: [], scheduler: .immediate, middleware: direct) {
            state, action in
            reduced.add(action)
            return .value(state + [action])
        }
        system.sendEvent("tapped")
        #expect(reduced.entries == ["tapped"])
        #expect(system.state == ["tapped"])
    }
}
