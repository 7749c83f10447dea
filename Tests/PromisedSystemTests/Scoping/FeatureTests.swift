import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A reducer, its feedbacks and its middleware in one value.
@Suite struct FeatureTests {
    struct Search: FeatureProtocol {
        struct State: Sendable, Equatable {
            var text = ""
            var hits: [String] = []
        }
        enum Event: Sendable, Equatable { case text(String), found([String]) }

        let find: @Sendable (String) -> Promise<[String]>

        var reducer: Reducer<State, Event> {
            Reducer { state, event in
                switch event {
                case .text(let text): state.text = text
                case .found(let hits): state.hits = hits
                }
            }
        }

        var feedbacks: [Feedback<State, Event>] {
            [
                .lensingSkippingRepeated(state: { $0.text.isEmpty ? nil : $0.text }) { [find] text in
                    find(text).map(Event.found)
                }
            ]
        }
    }

    private static let search = Search { text in Promise.value(["\(text)!"]).delay(.seconds(1)) }

    @Test("SR-51: a type with a reducer and a feedback is a feature; a system made from it runs both")
    func ownType() {
        let scheduler = TestScheduler()
        let system = System(initialState: .init(), scheduler: scheduler, feature: Self.search)
        system.sendEvent(.text("tea"))
        scheduler.run()
        #expect(system.state == .init(text: "tea", hits: ["tea!"]))
    }

    @Test("SR-37: a feature is lifted as one: its reducer, its feedbacks and its middleware")
    func liftedTogether() {
        struct Shop: Sendable { var search = Search.State(), other = 0 }
        enum ShopEvent: Sendable { case search(Search.Event), other }
        let scope = Scope(
            state: \Shop.search,
            event: CasePath(embed: ShopEvent.search) {
                if case .search(let event) = $0 { event } else { nil }
            })
        let asked = Log<Search.Event>()
        let watched =
            Feature(Self.search)
            <> Feature(
                middleware: Middleware { event, _ in
                    asked.add(event)
                    return .pass
                })
        let scheduler = TestScheduler()
        let system = System(
            initialState: Shop(), scheduler: scheduler,
            feature: watched.lifted(by: scope)
                <> Feature(
                    reducer: Reducer<Shop, ShopEvent> { shop, event in
                        if case .other = event { shop.other += 1 }
                    }))
        system.sendEvent(.other)
        system.sendEvent(.search(.text("tea")))
        scheduler.run()
        #expect(system.state.search.hits == ["tea!"] && system.state.other == 1)
        #expect(asked.entries == [.text("tea"), .found(["tea!"])])
    }

    // MARK: Environment

    struct World: Sendable {
        let find: @Sendable (String) -> Promise<[String]>
        let secret = "none of a search's business"
    }

    @Test(
        "SR-36: a feature's dependencies are extracted once, when it is made; it has access to nothing else")
    func environment() {
        let narrowed = Log<String>()
        // The feature has access only to what this type contains.
        let make: @Sendable (World) -> Search = { world in
            narrowed.add("narrowed")
            return Search(find: world.find)
        }
        let scheduler = TestScheduler()
        let world = World { text in .value([text, text]) }
        let system = System(initialState: .init(), scheduler: scheduler, feature: make(world))
        for text in ["a", "b"] { system.sendEvent(.text(text)) }
        scheduler.run()
        #expect(system.state.hits == ["b", "b"])
        #expect(narrowed.entries == ["narrowed"])
    }

    // MARK: Routes

    enum Event: Sendable, Equatable { case finished(Int), refresh(Int), stop }

    private func log(_ middleware: Middleware<[Event], Event>, _ events: Event...) -> [Event] {
        let system = System(
            initialState: [], scheduler: .immediate, reducer: Reducer<[Event], Event> { $0.append($1) },
            middleware: middleware)
        for event in events { system.sendEvent(event) }
        return system.state
    }

    private static func number(_ event: Event) -> Int? {
        if case .finished(let number) = event { number } else { nil }
    }

    @Test(
        "SR-38: a route forwards an event to another part, once and directly behind it; its guard reads the old state"
    )
    func route() {
        let route = Middleware<[Event], Event>.route(Self.number, when: { $0.count < 3 }, to: Event.refresh)
        #expect(
            log(route, .finished(1), .stop, .finished(2), .stop)
                == [.finished(1), .refresh(1), .stop, .finished(2), .stop])
        #expect(log(route, .stop, .stop, .finished(4)) == [.stop, .stop, .finished(4), .refresh(4)])
    }

    @Test("SR-38: a route that comes last is called only with events that the others pass")
    func routeBehindOthers() {
        let bouncer = Middleware<[Event], Event>(before: { event, _ in event == .finished(1) ? .stop : .pass }
        )
        let route = Feature<[Event], Event>.route(Self.number, to: Event.refresh)
        let feature = Feature(middleware: bouncer) <> route
        #expect(log(feature.middleware, .finished(1), .finished(2)) == [.finished(2), .refresh(2)])
    }

    @Test("SR-38: the origin of an event that a route sends is the route's declaration") func origin() {
        let records = Log<LoopRecord<[Event], Event>>()
        let line = #line + 1
        let route = Middleware<[Event], Event>.route(Self.number, to: Event.refresh)
        let system = System(
            initialState: [], scheduler: .immediate, reducer: Reducer<[Event], Event> { $0.append($1) },
            middleware: route)
        system.onLoop { records.add($0) }
        system.sendEvent(.finished(1))
        #expect(records.entries.map(\.event) == [.finished(1), .refresh(1)])
        #expect(records.entries.last?.origin.line == line)
    }

    @Test(
        "SR-47: the elements of a sequence effect are reduced, and then its key is free again"
    )
    func sequence() {
        let scheduler = TestScheduler()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let started = Log<String>()
        // Dropped for as long as work under its key is running.
        let feedback = Feedback<[Event], Event>.onEvent(
            { if case .stop = $0 { "stream" } else { nil } as String? }, key: { EffectKey($0) }, policy: .drop
        ) { _ in
            started.add("started")
            return Effect.values(stream.map { Event.finished($0) })
        }
        let system = System(
            initialState: [], scheduler: scheduler, reducer: Reducer<[Event], Event> { $0.append($1) },
            feedbacks: [feedback])
        func stop() -> Int {
            system.sendEvent(.stop)
            scheduler.advance()
            return started.entries.count
        }
        #expect(stop() == 1)
        for number in [1, 2] { continuation.yield(number) }
        scheduler.advance()
        #expect(stop() == 1)
        continuation.finish()
        scheduler.advance()
        #expect(system.state == [.stop, .finished(1), .finished(2), .stop])
        #expect(stop() == 2)
    }
}
