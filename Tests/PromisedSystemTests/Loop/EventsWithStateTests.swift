import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// What observers receive for each event once it has been processed.
@Suite struct EventsWithStateTests {
    private func system(_ scheduler: TestScheduler) -> System<Int, Int> {
        System(initialState: 0, scheduler: scheduler) { .value($1) }
    }

    @Test("FS-29: an event that sets 5 is recorded with 5, although another is sent as soon as 5 is shown")
    func pairs() {
        let scheduler = TestScheduler()
        let system = system(scheduler)
        let pairs = Log<String>()
        system.onLoop { pairs.add("\($0.event) with \($0.after)") }
        // Sent from inside the turn: a pair that was built after the turn would have the 7.
        system.addBinding { [weak system] in if $0 == 5 { system?.sendEvent(7) } }
        system.sendEvent(5)
        scheduler.advance()
        #expect(pairs.entries == ["5 with 5", "7 with 7"])
    }

    @Test(
        "FS-29: an observer added during a turn that takes no time is notified from the next turn on"
    )
    func joinedInTheMiddle() {
        let scheduler = TestScheduler()
        let system = system(scheduler)
        let pairs = Log<String>()
        system.addBinding { [weak system] state in
            if state == 5 { system?.onLoop { pairs.add("\($0.event) with \($0.before) and \($0.after)") } }
        }
        for event in [5, 6] { system.sendEvent(event) }
        scheduler.advance()
        #expect(pairs.entries == ["6 with 5 and 6"])
    }

    @Test(
        "FS-29: as a sequence, an event that sets 5 has 5 and the state before, although another event follows"
    )
    func sequence() async {
        let scheduler = TestScheduler()
        let system = system(scheduler)
        system.sendEvent(1)
        scheduler.advance()
        let turns = system.eventsWithState
        system.addBinding { [weak system] in if $0 == 5 { system?.sendEvent(7) } }
        system.sendEvent(5)
        scheduler.advance()
        system.stop()
        var seen: [EventWithState<Int, Int>] = []
        for await turn in turns { seen.append(turn) }
        #expect(seen.map { [$0.event, $0.before, $0.state] } == [[5, 1, 5], [7, 5, 7]])
    }

    @Test(
        "FS-29: a sequence has the reduced events, without those that were dropped or stopped, or that failed"
    )
    func reducedOnly() async {
        let scheduler = TestScheduler()
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            middleware: Middleware(before: { event, _ in event == 2 ? .stop : .pass }),
            configuration: .init(eventPolicy: { $0 == 3 ? .throttle(.seconds(1), key: "three") : .queue })
        ) { state, event in event == 4 ? Promise(error: TestError("four")) : .value(event) }
        system.onError { _ in }
        let turns = system.eventsWithState
        for event in [1, 2, 3, 3, 4, 5] { system.sendEvent(event) }
        scheduler.advance()
        system.stop()
        var seen: [Int] = []
        for await turn in turns { seen.append(turn.event) }
        #expect(seen == [1, 3, 5])
        // A sequence that is created after the end is empty.
        for await turn in system.eventsWithState { seen.append(turn.event) }
        #expect(seen.count == 3)
    }

    @Test("FS-42: a sequence of routes does not deliver earlier routes to a late subscriber")
    func lateSequence() async {
        let system = System<Int, Step>(initialState: 0, scheduler: .immediate) { state, step in
            if case .look(let number) = step { .value(number) } else { .value(state) }
        }
        let early = system.eventsWithState
        system.sendEvent(.open("details"))
        let late = system.eventsWithState
        #expect(system.subscribers == 2)
        system.sendEvent(.open("cart"))
        system.stop()
        func routes(_ turns: AsyncStream<EventWithState<Int, Step>>) async -> [String] {
            var routes: [String] = []
            for await turn in turns { if case .open(let page) = turn.event { routes.append(page) } }
            return routes
        }
        #expect(await routes(early) == ["details", "cart"])
        #expect(await routes(late) == ["cart"])
    }

    @Test("FS-29: releasing a sequence unsubscribes it") func sequenceLetGo() {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($1) }
        _ = system.eventsWithState
        #expect(system.subscribers == 0)
        #expect(!system.writesRecords)
    }

    @Test("FS-29: an event for a missing part was reduced, and is in the sequence")
    func missed() async {
        let system = System<Int?, Int>(
            initialState: nil, scheduler: .immediate, reducer: Reducer<Int, Int> { $0 += $1 }.optional)
        let turns = system.eventsWithState
        system.sendEvent(4)
        system.stop()
        var seen: [Int] = []
        for await turn in turns { seen.append(turn.event) }
        #expect(seen == [4])
    }

    private enum Step: Sendable, Equatable {
        case look(Int)
        case open(String)
    }

    @Test(
        "FS-42: routes derived from records are delivered once; a late observer does not receive earlier ones"
    )
    func routes() {
        let system = System<Int, Step>(initialState: 0, scheduler: .immediate) { state, step in
            if case .look(let number) = step { .value(number) } else { .value(state) }
        }
        func routes(_ name: String, _ log: Log<String>) {
            system.onLoop { record in
                guard case .settled = record.outcome, case .open(let page) = record.event else { return }
                log.add("\(name): \(page) of \(record.after)")
            }
        }
        let log = Log<String>()
        routes("early", log)
        system.sendEvent(.look(3))
        system.sendEvent(.open("details"))
        #expect(log.take() == ["early: details of 3"])
        routes("late", log)
        #expect(log.entries.isEmpty)
        // A late subscriber receives the state, but not the route, which is no part of the state.
        let token = system.settled.subscribe { log.add("state \($0)") }
        #expect(log.take() == ["state 3"])
        system.sendEvent(.open("cart"))
        #expect(log.take() == ["state 3", "early: cart of 3", "late: cart of 3"])
        token.cancel()
    }

    @Test(
        "SR-29: every record has the file and line that its event came from, and the state before and after")
    func origins() {
        let scheduler = TestScheduler()
        let middlewareLine = #line + 2
        let middleware = Middleware<[String], String>(after: { event, system in
            if event == "a" { system.sendEvent("from middleware") }
        })
        let feedbackLine = #line + 1
        let feedback = Feedback<[String], String>.onEvent({ $0 == "a" ? $0 : nil }) { _ in
            Effect<String>.just("from an effect")
        }
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, feedbacks: [feedback], middleware: middleware
        ) { .value($0 + [$1]) }
        let lines = Log<String>()
        let analytics = Log<String>()
        let counts = Log<Int>()
        system.onLoop { lines.add("\($0.event): \($0.origin)") }
        system.onLoop { analytics.add("\($0.before.count) \($0.after.count)") }
        system.onLoop { counts.add($0.number) }
        let line = #line + 1
        system.sendEvent("a")
        scheduler.advance()
        let file = "PromisedSystemTests/EventsWithStateTests.swift"
        #expect(
            lines.entries == [
                "a: \(file):\(line)", "from middleware: \(file):\(middlewareLine)",
                "from an effect: \(file):\(feedbackLine)",
            ])
        #expect(analytics.entries == ["0 1", "1 2", "2 3"])
        #expect(counts.entries == [1, 2, 3])
    }
}
