import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Middleware is taken as a function of its arguments, unless it is declared to be stateful.
@Suite struct MiddlewareMergingTests {
    private typealias Switches = Middleware<Set<String>, String>

    private func explorer(
        _ middleware: @escaping @Sendable (World<Set<String>>) -> Switches
    ) -> Explorer<Set<String>, String> {
        Explorer(events: ["a", "b", "c"]) { world in
            System(
                initialState: [], scheduler: world.scheduler,
                reducer: Reducer { state, event in state.formSymmetricDifference([event]) },
                middleware: middleware(world))
        }
    }

    @Test("a logger, a route and a filter cost no configuration")
    func stateless() {
        let lines = Lock<[String]>([])
        let logger = Switches(
            before: { event, system in
                lines.withLock { $0.append("before \(event) \(system.state.sorted())") }
                return .pass
            },
            after: { event, system in lines.withLock { $0.append("after \(event) \(system.state.sorted())") }
            })
        let route = Switches.route({ $0 == "never" ? $0 : nil }, to: { $0 })
        let filter = Switches(before: { event, _ in event == "d" ? .stop : .pass })
        let plain = explorer { _ in .identity }.explore(depth: 8)
        let layered = explorer { _ in logger <> route <> filter }.explore(depth: 8, .init(audit: 1))
        #expect(plain.configurations == 8 && plain.isComplete)
        #expect(layered.isComplete && layered.counterexample == nil)
        #expect(layered.levels == plain.levels && layered.states == plain.states)
        #expect(!lines.withLock { $0 }.isEmpty)
    }

    @Test("a stateful layer anywhere keeps the configurations apart, lifted or not")
    func stateful() {
        let counter = Switches(isStateful: true, after: { _, _ in })
        let scope = Scope<Set<String>, String, Set<String>, String>(
            get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 })
        for middleware in [
            counter, counter <> .identity, Switches.identity <> counter, counter.lifted(by: scope),
        ] {
            let found = explorer { _ in middleware }.explore(depth: 4)
            #expect(found.levels.map(\.configurations) == [1, 3, 9, 27, 81])
        }
    }

    @Test(
        "what stateful middleware has read is part of a configuration: a variable, the clock, another system")
    func reading() {
        for reads in ["variable", "clock", "system"] {
            expectSame(["keep", "use"], depth: 5) { (world: World<Int>) -> System<Int, String> in
                let (disk, kept) = (world.variable(0), Lock(0))
                let other = System<Int, Int>(
                    initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 2 })
                world.action("change") {
                    disk.value = 1 - disk.value
                    other.sendEvent(1)
                }
                return System(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        if event == "use" { state = kept.withLock { $0 } }
                    },
                    feedbacks: [
                        .onEvent({ $0 == "keep" ? $0 : nil }, policy: .drop) { _ in
                            Promise.value("later").delay(.seconds(1))
                        }
                    ],
                    middleware: Middleware(
                        isStateful: true,
                        before: { event, _ in
                            if event == "keep" {
                                kept.exchange(
                                    for: reads == "variable"
                                        ? disk.value
                                        : reads == "clock"
                                            ? Int(world.scheduler.now.components.seconds) : other.state)
                            }
                            return .pass
                        }))
            }
        }
    }

    @Test("work that middleware starts after a turn knows the event and the state")
    func workAfterATurn() {
        let found = expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event.count > 1 { state = String((state + event).suffix(4)) }
                },
                middleware: Middleware(after: { event, system in
                    if event.count == 1 {
                        let state = system.state
                        _ = world.call("ask", .value("!", named: "it")).delay(.seconds(1))
                            .done { system.sendEvent(event + state.prefix(1) + $0) }
                    }
                }))
        }
        #expect(found.states.count > 2)
    }

    @Test("stateful middleware knows the answers that it has asked for")
    func answers() {
        let found = expectSame(["ask", "use"], depth: 5) { (world: World<Int>) -> System<Int, String> in
            let kept = Lock(0)
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                middleware: Middleware(
                    isStateful: true,
                    before: { event, _ in
                        if event == "ask" {
                            _ = world.call("q", .value(1), .value(2)).done { kept.exchange(for: $0) }
                        }
                        return event == "use" ? .replace("\(kept.withLock { $0 })") : .pass
                    }))
        }
        #expect(Set(found.states) == [0, 1, 2])
    }
}
