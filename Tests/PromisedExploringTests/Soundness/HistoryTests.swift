import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// What work, feedbacks and middleware have learned is part of a configuration, where no state shows it.
@Suite struct HistoryTests {
    @Test("work that may depend on everything depends on whether an event or an action came before")
    func eventOrAction() {
        let found = expectSame(["a", "ask", "wait"], depth: 4) {
            (world: World<String>) -> System<String, String> in
            let (flight, last) = (Lock<Promise<String>?>(nil), Lock(""))
            world.action("b") { _ = last.exchange(for: "b") }
            return System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event == "a" { _ = last.exchange(for: "a") }
                    if event.hasPrefix("got") { state = event }
                },
                feedbacks: [
                    .onEvent({ $0 == "ask" ? true : nil }, policy: .drop) { _ in
                        let token = world.call("token", .value("over"))
                        _ = flight.exchange(for: token)
                        return token
                    },
                    .onEvent({ $0 == "wait" ? true : nil }, policy: .drop) { _ in
                        _ = last.exchange(for: "")
                        return flight.withLock { $0 }?.map { _ in "got" + last.withLock { $0 } }
                            ?? .value("over")
                    },
                ])
        }
        #expect(Set(found.states).isSuperset(of: ["gota", "gotb"]))
    }

    @Test("work knows for which of several promises of other work it has waited")
    func whichPromise() {
        let found = expectSame(["ask", "skip", "take"], depth: 5) {
            (world: World<String>) -> System<String, String> in
            let pages = Lock<[Promise<String>]>([])
            return System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event == "skip" { pages.withLock { $0 = Array($0.dropFirst()) } }
                    if event.hasPrefix("page") { state = event }
                },
                feedbacks: [
                    .onEvent({ $0 == "ask" ? true : nil }, policy: .drop) { _ in
                        let call = world.call("pages", .value("page "))
                        let (first, second) = (call.map { $0 + "1" }, call.map { $0 + "2" })
                        return first.flatMap { _ in second }.map { _ in
                            pages.withLock { $0 = [first, second] }
                            return "over"
                        }
                    },
                    .onEvent({ $0 == "take" ? true : nil }, policy: .drop) { _ in
                        pages.exchange(for: []).first?.flatMap { page in
                            world.call("show", .value(page, named: "it"))
                        } ?? .value("over")
                    },
                ])
        }
        #expect(Set(found.states) == ["", "page 1", "page 2"])
    }

    @Test("middleware remembers the states that it was given")
    func middlewareStates() {
        let found = expectSame(["get", "mark", "reset", "look"], depth: 5) {
            (world: World<Int>) -> System<Int, String> in
            let marked = Lock(0)
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                middleware: Middleware(
                    isStateful: true,
                    before: { event, system in
                        if event == "mark" { _ = marked.exchange(for: system.state) }
                        return .pass
                    })
            ) { state, event in
                switch event {
                case "get": world.call("get", .value(1), .value(2))
                case "reset": .value(0)
                case "look": .value(10 * marked.withLock { $0 } + state)
                default: .value(state)
                }
            }
        }
        #expect(Set(found.states).isSuperset(of: [10, 20]))
    }

    @Test("work whose payload cannot be compared knows the event for which it was started")
    func opaquePayload() {
        struct Query: Sendable { let text: String }
        let found = expectSame(["a", "b"], depth: 2) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { if $1.count > 1 { $0 = $1 } },
                feedbacks: [
                    .onEvent({ $0.count == 1 ? Query(text: $0) : nil }, policy: .drop) { query in
                        world.call("find", .value("found " + query.text, named: "it"))
                    }
                ])
        }
        #expect(Set(found.states) == ["", "found a", "found b"])
    }

    @Test("a feedback that is given all events remembers more than the last one")
    func allEvents() {
        let found = expectSame(["a", "b", "look"], depth: 3) {
            (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { if $1.hasPrefix("seen") { $0 = $1 } },
                feedbacks: [
                    .imperative { send in
                        let seen = Lock("")
                        return { _, event in
                            if event.count == 1 { seen.withLock { $0 += event } }
                            if event == "look" { send("seen " + seen.withLock { $0 }) }
                        }
                    }
                ])
        }
        #expect(Set(found.states).isSuperset(of: ["seen ab", "seen ba", "seen b", "seen aa"]))
    }
}
