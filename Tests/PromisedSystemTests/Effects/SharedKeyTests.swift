import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// One key in several feedbacks: a policy sees all work under it.
@Suite struct SharedKeyTests {
    enum Event: Sendable {
        case first(String, EffectPolicy), second(String, EffectPolicy), done(String), close
    }

    private let works = Log<String>()
    private let scheduler = TestScheduler()

    private func work(_ name: String, _ works: Log<String>) -> Effect<Event> {
        Effect { effect in
            works.add("+\(name)")
            let timer = effect.scheduler.schedule(after: .seconds(10)) {
                works.add(name)
                effect.finish(sending: .done(name))
            }
            effect.onCancel {
                timer.cancel()
                works.add("-\(name)")
            }
        }
    }

    private func first(key: EffectKey = "list") -> Feedback<Int, Event> {
        .onEvent(
            { if case .first(let name, let policy) = $0 { (name, policy) } else { nil } }, key: { _ in key },
            policy: { $0.1 }
        ) { [works] in work($0.0, works) }
    }

    private func second<State: Sendable>(key: EffectKey = "list") -> Feedback<State, Event> {
        .onEvent(
            { if case .second(let name, let policy) = $0 { (name, policy) } else { nil } }, key: { _ in key },
            policy: { $0.1 }
        ) { [works] in work($0.0, works) }
    }

    private func system(_ feedbacks: [Feedback<Int, Event>]) -> System<Int, Event> {
        System(
            initialState: 0, scheduler: scheduler, reducer: Reducer { (_: inout Int, _: Event) in },
            feedbacks: feedbacks)
    }

    /// What happens to the work of one feedback when the other requests its own a second later.
    @Test(
        "the policy of the later request decides about the work of another feedback",
        arguments: [
            (.concurrent, ["+a", "+b", "a", "b"]),
            (.replace, ["+a", "-a", "+b", "b"]),
            (.drop, ["+a", "a"]),
            (.queue, ["+a", "a", "+b", "b"]),
            (.debounce(.seconds(2)), ["+a", "-a", "+b", "b"]),
            (.debounceThenReplace(.seconds(2)), ["+a", "-a", "+b", "b"]),
            (.throttle(.seconds(2)), ["+a", "-a", "+b", "b"]),
        ] as [(EffectPolicy, [String])])
    func policies(_ policy: EffectPolicy, _ expected: [String]) {
        for isReversed in [false, true] {
            let system = system(isReversed ? [second(), first()] : [first(), second()])
            system.sendEvent(.first("a", .replace))
            scheduler.advance(by: .seconds(1))
            system.sendEvent(.second("b", policy))
            scheduler.advance(by: .seconds(30))
            #expect(works.take() == expected)
        }
    }

    @Test("a throttle window, a pending debounce and a queue are those of the key")
    func pending() {
        let system = system([first(), second()])
        system.sendEvent(.first("a", .throttle(.seconds(5))))
        system.sendEvent(.second("b", .throttle(.seconds(5))))
        scheduler.advance()
        #expect(works.take() == ["+a"])
        scheduler.advance(by: .seconds(20))
        _ = works.take()
        system.sendEvent(.first("c", .debounce(.seconds(2))))
        scheduler.advance(by: .seconds(1))
        system.sendEvent(.second("d", .debounce(.seconds(2))))
        scheduler.advance(by: .seconds(20))
        #expect(works.take() == ["+d", "d"])
        system.sendEvent(.first("e", .queue))
        system.sendEvent(.second("f", .queue))
        system.sendEvent(.first("g", .queue))
        scheduler.advance(by: .seconds(50))
        #expect(works.take() == ["+e", "e", "+f", "f", "+g", "g"])
    }

    @Test("work without a key, and work under another key, is left alone")
    func otherKeys() {
        let unnamed = Feedback<Int, Event>.onEvent(
            { if case .second(let name, _) = $0 { name } else { nil } }, policy: .replace
        ) { [works] in work($0, works) }
        let system = system([first(), second(key: "detail"), unnamed])
        system.sendEvent(.first("a", .replace))
        system.sendEvent(.second("b", .replace))
        scheduler.advance(by: .seconds(20))
        #expect(works.take() == ["+a", "+b", "+b", "a", "b", "b"])
    }

    struct Two: Sendable { var left: Int? = 0, right: Int? = 0, rows = [Row(id: 1), Row(id: 2)] }
    struct Row: Sendable, Identifiable { let id: Int; var number = 0 }
    enum Side: Sendable { case left(Event), right(Event), row(Int, Event), closeLeft, close(Int) }

    static let left = Scope(
        state: \Two.left,
        event: CasePath(embed: Side.left) { if case .left(let event) = $0 { event } else { nil } })
    static let right = Scope(
        state: \Two.right,
        event: CasePath(embed: Side.right) { if case .right(let event) = $0 { event } else { nil } })
    static let rows = Elements(
        in: \Two.rows,
        event: CasePath<Side, (Int, Event)>(embed: { .row($0.0, $0.1) }) {
            if case .row(let id, let event) = $0 { (id, event) } else { nil }
        })

    private func sides() -> System<Two, Side> {
        let both = [first(), second()]
        let ofRows = both.map { feedback in
            feedback.lifted(by: Scope<Row, Event, Int, Event>(state: \.number, event: .identity())).lifted(
                byEach: Self.rows)
        }
        return System(
            initialState: Two(), scheduler: scheduler,
            reducer: Reducer<Two, Side> { two, event in
                switch event {
                case .closeLeft: two.left = nil
                case .close(let id): two.rows.removeAll { $0.id == id }
                case .left, .right, .row: break
                }
            },
            feedbacks: both.map { $0.lifted(by: Self.left) } + both.map { $0.lifted(by: Self.right) } + ofRows
        )
    }

    @Test("a key means one thing in each part, and in each element")
    func parts() {
        let system = sides()
        system.sendEvent(.left(.first("l", .replace)))
        system.sendEvent(.right(.first("r", .replace)))
        system.sendEvent(.row(1, .first("1", .replace)))
        system.sendEvent(.row(2, .first("2", .replace)))
        scheduler.advance()
        #expect(works.take() == ["+l", "+r", "+1", "+2"])
        system.sendEvent(.left(.second("L", .drop)))
        system.sendEvent(.row(2, .second("II", .replace)))
        scheduler.advance()
        #expect(works.take() == ["-2", "+II"])
        scheduler.advance(by: .seconds(20))
        #expect(works.take() == ["l", "r", "1", "II"])
    }

    @Test(
        "a part that ends takes the work of all its feedbacks, and what waits, and leaves the other parts alone"
    )
    func ends() {
        let system = sides()
        for part in [Side.left, Side.right, { Side.row(1, $0) }, { Side.row(2, $0) }] as [(Event) -> Side] {
            system.sendEvent(part(.first("a", .queue)))
            system.sendEvent(part(.second("b", .queue)))
        }
        scheduler.advance()
        #expect(works.take() == ["+a", "+a", "+a", "+a"])
        system.sendEvent(.closeLeft)
        system.sendEvent(.close(1))
        scheduler.advance()
        #expect(works.take() == ["-a", "-a"])
        scheduler.advance(by: .seconds(30))
        #expect(works.take() == ["a", "+b", "a", "+b", "b", "b"])
    }

    @Test(
        "the work of one feedback is cancelled with its part, and that of another one under the key goes on")
    func oneEnds() {
        // One feedback for the part while it is there, and one for the place.
        let ofPlace: Feedback<Int?, Event> = second()
        let system = System<Two, Side>(
            initialState: Two(), scheduler: scheduler,
            reducer: Reducer<Two, Side> { two, event in if case .closeLeft = event { two.left = nil } },
            feedbacks: [first().lifted(by: Self.left), ofPlace.lifted(by: Self.left)])
        system.sendEvent(.left(.first("a", .concurrent)))
        system.sendEvent(.left(.second("b", .concurrent)))
        system.sendEvent(.left(.second("c", .queue)))
        scheduler.advance()
        #expect(works.take() == ["+a", "+b"])
        system.sendEvent(.closeLeft)
        scheduler.advance(by: .seconds(30))
        #expect(works.take() == ["-a", "b", "+c", "c"])
    }

    @Test("a request that waits for the work of a part that ends starts when it has ended")
    func vacated() {
        let ofPlace: Feedback<Int?, Event> = second()
        let system = System<Two, Side>(
            initialState: Two(), scheduler: scheduler,
            reducer: Reducer<Two, Side> { two, event in if case .closeLeft = event { two.left = nil } },
            feedbacks: [first().lifted(by: Self.left), ofPlace.lifted(by: Self.left)])
        system.sendEvent(.left(.first("a", .concurrent)))
        system.sendEvent(.left(.second("c", .queue)))
        scheduler.advance()
        #expect(works.take() == ["+a"])
        system.sendEvent(.closeLeft)
        scheduler.advance()
        #expect(works.take() == ["-a", "+c"])
    }

    @Test(
        "a part that ends closes the throttle window that its feedback has opened, and no other one",
        arguments: [["first"], ["second"], ["first", "second"], ["second", "first"]],
        [ThrottleEdges.leading, .both])
    func windows(openers: [String], edges: ThrottleEdges) {
        let ofPlace: Feedback<Int?, Event> = second()
        let system = System<Two, Side>(
            initialState: Two(), scheduler: scheduler,
            reducer: Reducer<Two, Side> { two, event in if case .closeLeft = event { two.left = nil } },
            feedbacks: [first().lifted(by: Self.left), ofPlace.lifted(by: Self.left)])
        let throttle = EffectPolicy.throttle(.seconds(5), edges: edges)
        for opener in openers {
            // The window before has ended, and the work that it was opened for still runs.
            scheduler.advance(by: .seconds(6))
            system.sendEvent(.left(opener == "first" ? .first("a", throttle) : .second("a", throttle)))
        }
        scheduler.advance()
        system.sendEvent(.closeLeft)
        system.sendEvent(.left(.second("b", throttle)))
        scheduler.advance()
        #expect(works.take().contains("+b") == (openers.last == "first"))
    }

    @Test(
        "a request that waits for its time is discarded with the part that has made it, and with no other one",
        arguments: [
            .debounce(.seconds(2)), .debounceThenReplace(.seconds(2)),
            .throttle(.seconds(2), edges: .trailing),
        ] as [EffectPolicy], [true, false])
    func waiting(policy: EffectPolicy, isOfPart: Bool) {
        let ofPlace: Feedback<Int?, Event> = second()
        let system = System<Two, Side>(
            initialState: Two(), scheduler: scheduler,
            reducer: Reducer<Two, Side> { two, event in if case .closeLeft = event { two.left = nil } },
            feedbacks: [first().lifted(by: Self.left), ofPlace.lifted(by: Self.left)])
        system.sendEvent(.left(isOfPart ? .first("a", policy) : .second("a", policy)))
        scheduler.advance(by: .seconds(1))
        system.sendEvent(.closeLeft)
        scheduler.advance(by: .seconds(30))
        #expect(works.take() == (isOfPart ? [] : ["+a", "a"]))
        #expect(scheduler.pendingCount == 0)
    }
}
