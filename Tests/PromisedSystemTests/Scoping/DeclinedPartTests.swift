import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Parts that decline an event, are another case, or no longer exist.
@Suite struct DeclinedPartTests {
    enum Event: Sendable, Equatable { case add(Int), remove }

    private struct Counter: Sendable, Equatable { var count: Int? = 1 }

    @Test("SR-21: a replacement that the part declines to embed leaves the event unchanged")
    func replacement() {
        let scope = Scope<Int, Int, Int, Int>(
            get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 < 100 ? $0 : nil })
        let tenfold = Middleware<Int, Int>(before: { event, _ in .replace(event * 10) })
        let system = System(
            initialState: 0, scheduler: .immediate, reducer: Reducer<Int, Int> { $0 += $1 },
            middleware: tenfold.lifted(by: scope))
        system.sendEvent(2)
        #expect(system.state == 20)
        system.sendEvent(30)
        #expect(system.state == 50)
    }

    @Test("SR-30: merged work whose last event is declined keeps the rest running, which can be cancelled")
    func lastEventOfAPart() {
        let scope = Scope<[Int], Int, [Int], Int>(
            get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 < 100 ? $0 : nil })
        let scheduler = TestScheduler()
        let working = Feedback<[Int], Int>.withLatest(events: { $0 < 10 ? $0 : nil }) { number in
            Effect<Int>.merge(
                .promise(Promise.value(100).delay(.seconds(1))),
                .promise(Promise.value(number * 10).delay(.seconds(5))))
        }
        let system = System(
            initialState: [], scheduler: scheduler, reducer: Reducer<[Int], Int> { $0.append($1) },
            feedbacks: [working.lifted(by: scope)])
        system.sendEvent(1)
        scheduler.advance(by: .seconds(2))
        system.sendEvent(2)
        scheduler.run()
        #expect(system.state == [1, 2, 20])
    }

    @Test("SR-11: a reducer of a case changes nothing while the state is another case") func otherCase() {
        enum Screen: Sendable, Equatable { case empty, page(Int) }
        let page = Scope<Screen, Int, Int?, Int>(
            state: CasePath(embed: Screen.page) { if case .page(let number) = $0 { number } else { nil } },
            event: .identity())
        let setting = Reducer<Int?, Int> { page, number in page = number }
        for (start, end) in [(Screen.empty, Screen.empty), (.page(1), .page(5))] {
            let system = System(
                initialState: start, scheduler: .immediate, reducer: setting.lifted(by: page))
            system.sendEvent(5)
            #expect(system.state == end)
        }
    }

    @Test(
        "SR-17: the retained context of a part's middleware reads the current part, and the last one after its removal"
    )
    func keptContext() throws {
        typealias Context = Middleware<Int, Event>.Context
        let kept = Box<Context?>(nil)
        let keeping = Middleware<Int, Event>(before: { event, part in
            if event == .add(1) { kept.value = part }
            return .pass
        })
        let count = Scope<Counter, Event, Int?, Event>(state: \.count, event: .identity())
        let system = System(
            initialState: Counter(), scheduler: .immediate,
            reducer: Reducer<Counter, Event> { counter, event in
                switch event {
                case .add(let number): counter.count? += number
                case .remove: counter.count = nil
                }
            }, middleware: keeping.lifted(by: count))
        system.sendEvent(.add(1))
        let context = try #require(kept.value)
        #expect(context.state == 2)
        system.sendEvent(.add(5))
        #expect(context.state == 7)
        // The part was 1 when the middleware was called.
        system.sendEvent(.remove)
        #expect((context.state, context.state) == (1, 1))
    }
}
