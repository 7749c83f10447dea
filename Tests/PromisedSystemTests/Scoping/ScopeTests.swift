import Observation
import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A part of a whole: lifted reducers, feedbacks and middleware, and the part of a system.
@Suite struct ScopeTests {
    struct Whole: Sendable, Equatable {
        var left = Part()
        var right = Part()
        var other = 0
    }

    struct Part: Sendable, Equatable {
        var count = 0
        var wanted: String?
    }

    enum Event: Sendable, Equatable {
        case left(PartEvent)
        case right(PartEvent)
        case other
    }

    enum PartEvent: Sendable, Equatable {
        case add(Int)
        case want(String?)
        case secret
    }

    static let left = Scope(
        state: \Whole.left,
        event: CasePath(embed: Event.left) { if case .left(let event) = $0 { event } else { nil } })
    static let right = Scope(
        state: \Whole.right,
        event: CasePath(embed: Event.right) { if case .right(let event) = $0 { event } else { nil } })

    static let part = Reducer<Part, PartEvent> { part, event in
        switch event {
        case .add(let number): part.count += number
        case .want(let wanted): part.wanted = wanted
        case .secret: break
        }
    }

    static let whole =
        part.lifted(by: left) <> part.lifted(by: right)
        <> Reducer { whole, event in if event == .other { whole.other += 1 } }

    @Test("SR-11: an event that means nothing to the part leaves the whole unchanged and unset")
    func foreignEvent() {
        let sets = Log<String>()
        let scope = Scope<Int, Event, Int, Int>(
            get: { $0 },
            modify: { whole, change in
                sets.add("set")
                change(&whole)
            }, extract: { if case .left(.add(let number)) = $0 { number } else { nil } },
            embed: { .left(.add($0)) })
        let system = System<Int, Event>(
            initialState: 1, scheduler: .immediate, reducer: Reducer { $0 += $1 }.lifted(by: scope))
        system.sendEvent(.other)
        #expect(sets.entries == [])
        system.sendEvent(.left(.add(2)))
        #expect((system.state, sets.count) == (3, 1))
    }

    @Test(
        "SR-11: a lifted reducer that takes time changes its part of the whole, and shows its loading state")
    func lifted() {
        let scheduler = TestScheduler()
        let slow = Reducer<Part, PartEvent> { part, event in
            guard case .add(let number) = event else { return .value(part) }
            var next = part
            next.count += number
            return Promise.value(next).delay(.seconds(1)).stateWhenLoading(Part(count: -1))
        }
        let system = System<Whole, Event>(
            initialState: Whole(), scheduler: scheduler, reducer: slow.lifted(by: Self.left))
        let shown = Log<Int>()
        let token = system.shown.subscribe { shown.add($0.state.left.count) }
        system.sendEvent(.left(.add(5)))
        scheduler.run()
        #expect(shown.entries == [0, -1, 5])
        token.cancel()
    }

    @Test(
        "SR-21: lifted middleware is called with its own events alone, and the events that it sends are embedded"
    )
    func middleware() {
        let log = Log<String>()
        let guarding = Middleware<Part, PartEvent>(
            before: { event, part in
                log.add("before \(event) \(part.state.count)")
                return event == .secret ? .stop : .pass
            },
            after: { event, part in
                log.add("after \(event) \(part.state.count)")
                if event == .add(1) { part.sendEvent(.add(10)) }
            })
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: Self.whole,
            middleware: guarding.lifted(by: Self.left))
        for event in [Event.other, .right(.add(3)), .left(.secret), .left(.add(1))] {
            system.sendEvent(event)
        }
        #expect(
            log.entries == [
                "before secret 0", "before add(1) 0", "after add(1) 1",
                "before add(10) 1", "after add(10) 11",
            ])
        #expect(system.state == Whole(left: Part(count: 11), right: Part(count: 3), other: 1))
    }

    @Test("FS-38: a lifted feedback runs on its part, and ignores a foreign event")
    func feedback() {
        let started = Log<String>()
        let fetching = Feedback<Part, PartEvent>.lensingSkippingRepeated(state: \.wanted) { wanted in
            started.add(wanted)
            return Effect<PartEvent>.just(.add(wanted.count), .want(nil))
        }
        let adding = Feedback<Part, PartEvent>.onEvent({ $0 == .secret ? true : nil }) { _ in
            started.add("secret")
            return Effect<PartEvent>.just(.add(100))
        }
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: Self.whole,
            feedbacks: [fetching.lifted(by: Self.left), adding.lifted(by: Self.right)])
        for event in [Event.other, .right(.want("nobody")), .left(.secret)] { system.sendEvent(event) }
        #expect(started.entries == [])
        system.sendEvent(.left(.want("tea")))
        system.sendEvent(.right(.secret))
        #expect(started.entries == ["tea", "secret"])
        #expect(system.state.left == Part(count: 3))
        #expect(system.state.right == Part(count: 100, wanted: "nobody"))
    }

    @Test(
        "SR-44: one scope lifts the reducer, the feedback and the middleware, and gives the part of the system"
    )
    func oneScope() {
        let log = Log<String>()
        let logging = Middleware<Part, PartEvent>(after: { event, part in
            log.add("\(event): \(part.state.count)")
        })
        let doubling = Feedback<Part, PartEvent>.onEvent({ if case .add(2) = $0 { true } else { nil } }) {
            _ in
            Effect<PartEvent>.just(.add(4))
        }
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: Self.part.lifted(by: Self.right),
            feedbacks: [doubling.lifted(by: Self.right)], middleware: logging.lifted(by: Self.right))
        let right = system.scoped(by: Self.right)
        right.sendEvent(.add(2))
        #expect(right.state.count == 6)
        #expect(log.entries == ["add(2): 2", "add(4): 6"])
    }

    @Test(
        "FS-37: a subscriber of a part is notified when an event of the whole changes it, and not otherwise")
    func scopedReader() {
        let system = System(
            initialState: Whole(), scheduler: .immediate,
            reducer: Self.whole <> Reducer { whole, event in if event == .other { whole.right.count = 7 } })
        let right = system.scoped(by: Self.right)
        let seen = Log<Int>()
        let token = right.settled.subscribe { seen.add($0.count) }
        system.sendEvent(.left(.add(1)))
        system.sendEvent(.other)
        right.sendEvent(.add(1))
        #expect(seen.entries == [0, 7, 8])
        #expect((right.state.count, system.state.right.count, system.state.left.count) == (8, 8, 1))
        token.cancel()
    }

    @Test("SR-30: an event that a scope declines to embed is not sent; local reads are always current")
    func declines() {
        let scope = Scope<Int, Int, String, String>(
            get: { "\($0)" }, modify: { _, _ in }, extract: { _ in nil }, embed: { Int($0) })
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate, reducer: Reducer { $0 += $1 })
        let local = system.scoped(by: scope)
        local.sendEvent("three")
        #expect(local.state == "0")
        local.sendEvent("3")
        #expect(local.state == "3")
    }

    @Test("SR-34, FS-31: a constant and a mock replace the real system") func standIns() {
        func screen(_ counter: ScopedSystem<Int, String>) -> [Int] {
            let before = counter.state
            counter.sendEvent("add")
            return [before, counter.state]
        }
        #expect(screen(.constant(4)) == [4, 4])
        #expect(screen(.mock(4) { $0 += $1.count }) == [4, 7])
        let real = System<Int, String>(initialState: 4, scheduler: .immediate) { .value($0 + $1.count) }
        #expect(screen(real.scoped()) == [4, 7])
    }

    @Test("FS-30: outside callers send the events that the scope embeds; results are private events")
    func service() {
        enum Private: Sendable {
            case action(String)
            case result(Int)
        }
        let counting = Feedback<Int, Private>.onEvent({ if case .action(let text) = $0 { text } else { nil } }
        ) {
            Effect<Private>.just(.result($0.count))
        }
        let service = System<Int, Private>(
            initialState: 0, scheduler: .immediate,
            reducer: Reducer { if case .result(let count) = $1 { $0 = count } }, feedbacks: [counting]
        ).scoped(by: .sending(Private.action))
        service.sendEvent("four")
        #expect(service.state == 4)
    }

    @Test("SR-02: a function can be given the input alone, or the output alone") func halves() {
        func tap(_ send: (String) -> Void) { send("tap") }
        func read(_ source: Source<Int>) -> Int { source.value }
        let system = ScopedSystem<Int, String>.mock(0) { $0 += $1.count }
        tap { system.sendEvent($0) }
        #expect(read(system.settled) == 3)
    }

    @Test("SR-03: a part retains its system, and releases it") func keepsItsSystem() {
        weak var kept: System<Int, Int>?
        var part: ScopedSystem<Int, Int>? = {
            let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
            kept = system
            return system.scoped()
        }()
        part?.sendEvent(2)
        #expect(kept?.state == 2)
        part = nil
        #expect(kept == nil)
    }

    @Test(
        "FS-41: an observing reader of a part is notified once when the part changes, and not of other changes"
    )
    func observed() {
        let system = System(initialState: Whole(), scheduler: .immediate, reducer: Self.whole)
        let right = system.scoped(by: Self.right).settled
        let changes = Log<String>()
        withObservationTracking {
            _ = right.count
        } onChange: {
            changes.add("changed")
        }
        system.sendEvent(.left(.add(1)))
        #expect(changes.entries == [])
        system.sendEvent(.right(.add(1)))
        system.sendEvent(.right(.add(1)))
        #expect(changes.entries == ["changed"])
    }
}
