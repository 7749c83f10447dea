import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Side effects per event, and streams of them.
@Suite struct SideEffectTests {
    /// A failure as an event: what was tried, and when it failed.
    private struct Failure: Sendable, Equatable {
        let tried: String
        let at: Duration
        let message: String
    }

    private enum Order: Sendable, Equatable {
        case buy(String)
        case bought(String)
        case failed(Failure)
    }

    private typealias Shop = System<[Order], Order>

    private static let item: @Sendable (Order) -> String? = {
        if case .buy(let item) = $0 { item } else { nil }
    }

    @Test("SR-22: a side effect that fails becomes one event, with the event it was for and its date")
    func failure() {
        let scheduler = TestScheduler()
        let feedback = Feedback<[Order], Order>.onEvent(Self.item) { item in
            Effect<Order> { effect in
                effect.scheduler.schedule(after: .seconds(2)) {
                    if item == "tea" { return effect.fail(TestError("sold out")) }
                    effect.send(.bought(item))
                    effect.finish()
                }
            }
            .recover { .failed(Failure(tried: item, at: scheduler.now, message: "\($0)")) }
        }
        let shop = Shop(initialState: [], scheduler: scheduler, feedbacks: [feedback]) { .value($0 + [$1]) }
        let errors = Log<String>()
        shop.onError { errors.add("\($0)") }
        scheduler.advance(by: .seconds(3))
        for item in ["tea", "cups"] { shop.sendEvent(.buy(item)) }
        scheduler.run()
        #expect(
            shop.state == [
                .buy("tea"), .buy("cups"),
                .failed(Failure(tried: "tea", at: .seconds(5), message: "sold out")), .bought("cups"),
            ])
        #expect(errors.entries.isEmpty)
    }

    @Test("SR-22: a side effect may hide its event from the reducer: only the resulting events are reduced")
    func withheld() {
        let scheduler = TestScheduler()
        let middleware = Middleware<[Order], Order>(before: { order, system in
            guard case .buy(let item) = order else { return .pass }
            system.sendEvent(.bought(item))
            return .stop
        })
        let shop = Shop(initialState: [], scheduler: scheduler, middleware: middleware) { .value($0 + [$1]) }
        let outcomes = Log<String>()
        shop.onLoop { outcomes.add("\($0.event) \(describe($0.outcome))") }
        shop.sendEvent(.buy("tea"))
        scheduler.advance()
        #expect(shop.state == [.bought("tea")])
        #expect(outcomes.entries == ["buy(\"tea\") stopped", "bought(\"tea\") settled"])
    }

    @Test(
        "SR-22: the error of a side effect becomes one event with the event it was for, by the system's clock"
    )
    func failureWithInstant() {
        let scheduler = TestScheduler()
        let feedback = Feedback<[Order], Order>.onEvent(Self.item) { item in
            Effect<Order>.promise(Promise(error: TestError("sold out")).delay(.seconds(2)))
                .recover { error, instant in .failed(Failure(tried: item, at: instant, message: "\(error)")) }
        }
        let shop = Shop(initialState: [], scheduler: scheduler, feedbacks: [feedback]) { .value($0 + [$1]) }
        scheduler.advance(by: .seconds(3))
        shop.sendEvent(.buy("tea"))
        scheduler.run()
        #expect(
            shop.state == [.buy("tea"), .failed(Failure(tried: "tea", at: .seconds(5), message: "sold out"))])
    }

    @Test("SR-22: an event that only starts work leaves the state unchanged, and its work runs")
    func producedAlthoughNotReduced() {
        let scheduler = TestScheduler()
        let shop = Shop(
            initialState: [], scheduler: scheduler,
            reducer: Reducer { orders, order in if case .bought = order { orders.append(order) } },
            feedbacks: [.onEvent(Self.item) { Promise.value(.bought($0)).delay(.seconds(1)) }])
        shop.sendEvent(.buy("tea"))
        scheduler.advance()
        #expect(shop.state == [])
        scheduler.run()
        #expect(shop.state == [.bought("tea")])
    }

    @Test(
        "SR-23: all events with the states around them go into a stream, and the stream's results are events")
    func stream() {
        let scheduler = TestScheduler()
        let system = System<[String], String>(
            initialState: ["start"], scheduler: scheduler, reducer: Reducer { $0.append($1) },
            feedbacks: [
                Feedback(events: { turns in
                    Effect.values(
                        turns.filter { $0.event.count == 1 }
                            .map { "search \($0.event) after \($0.before.count), now \($0.state.count)" })
                })
            ],
            configuration: .init(eventPolicy: {
                $0.count == 1 ? .queue : .debounce(.seconds(2), key: "search")
            }))
        for letter in ["a", "b", "c"] {
            system.sendEvent(letter)
            scheduler.advance(by: .seconds(1))
        }
        #expect(system.state == ["start", "a", "b", "c"])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["start", "a", "b", "c", "search c after 3, now 4"])
        system.stop()
        scheduler.finish()
    }

    @Test(
        "FS-05: a feedback that sends no event never changes the state; each system gets its own stream"
    )
    func nothingOut() {
        let scheduler = TestScheduler()
        let heard = Log<String>()
        let listening = Feedback<[String], String>(events: { turns in
            Effect<String>.values(
                turns.compactMap { turn -> String? in
                    heard.add("\(turn.event) of \(turn.state.count)")
                    return nil
                })
        })
        let systems = (0..<2).map { _ in
            System<[String], String>(
                initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) },
                feedbacks: [listening])
        }
        for (system, event) in zip(systems, ["a", "b"]) { system.sendEvent(event) }
        scheduler.advance()
        #expect(systems.map(\.state) == [["a"], ["b"]])
        #expect(heard.entries.sorted() == ["a of 1", "b of 1"])
        for system in systems { system.stop() }
        scheduler.finish()
    }

    @Test(
        "SR-23: events with the state before them go into a sequence, and the sequence's results are events")
    func pipeline() {
        let scheduler = TestScheduler()
        let (pairs, input) = AsyncStream.makeStream(of: (typed: String, before: Int).self)
        let tap = Middleware<[String], String>(before: { event, system in
            if event.count == 1 { input.yield((event, system.state.count)) }
            return .pass
        })
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler,
            feedbacks: [
                .just(effects: Effect.values(pairs.map { "search \($0.typed) after \($0.before)" }))
            ],
            middleware: tap,
            // Debounces the results of the sequence by two seconds.
            configuration: .init(eventPolicy: {
                $0.count == 1 ? .queue : .debounce(.seconds(2), key: "search")
            })
        ) { .value($0 + [$1]) }
        scheduler.advance()
        for letter in ["a", "b", "c"] {
            system.sendEvent(letter)
            scheduler.advance(by: .seconds(1))
        }
        #expect(system.state == ["a", "b", "c"])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["a", "b", "c", "search c after 2"])
        system.stop()
        scheduler.finish()
    }
}
