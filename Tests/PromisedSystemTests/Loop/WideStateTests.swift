import Promise
import PromisedSystem
import TestSupport
import Testing

/// A stack of 512 KiB has room for eight copies of a state of 64 KiB, and user code needs two or three. A part of the
/// system that needed more than a few itself would crash the process.
@Suite(.tags(.noSharedState)) struct WideStateTests {
    enum Event: Sendable { case up, other }
    struct Refused: Error {}
    typealias WideSystem = System<KiB64Objects, Event>
    typealias Step = Reducer<KiB64Objects, Event>

    static let inPlace = Step { state, event in if case .up = event { state.stamp += 1 } }

    private func run(
        _ reducer: Step = inPlace, feedbacks: [Feedback<KiB64Objects, Event>] = [],
        middleware: Middleware<KiB64Objects, Event> = .identity, history: HistoryLimit = .none,
        looking look: @escaping @Sendable (WideSystem, Log<String>) -> [SubscriptionToken] = { _, _ in [] }
    ) async -> [String] {
        let (log, template) = (Log<String>(), Template(KiB64Objects.self, stamp: 3))
        await onSmallStack {
            let system = WideSystem(
                initialState: template.value, scheduler: .immediate, reducer: reducer, feedbacks: feedbacks,
                middleware: middleware, configuration: .init(history: history))
            let tokens = look(system, log)
            system.sendEvent(.up)
            system.sendEvent(.other)
            Self.note(system, log)
            withExtendedLifetime(tokens) {}
        }
        return log.entries
    }

    private static func note(_ system: WideSystem, _ log: Log<String>) {
        log.add("state \(system.state.stamp)")
    }

    @Test("A state of 64 KiB is changed by every kind of reducer on a stack of 512 KiB")
    func reducers() async {
        #expect(await run() == ["state 4"])
        #expect(await run(Step { state, _ -> Promise<KiB64Objects> in .value(state) }) == ["state 3"])
        #expect(await run(Step { state, _ in Promise { $0.fulfill(state) }.map { $0 } }) == ["state 3"])
        #expect(await run(.combined(Self.inPlace, Step { state, _ in .value(state) })) == ["state 4"])
        #expect(await run(history: .last(2)) == ["state 4"])
    }

    @Test("A state of 64 KiB is shown while loading and kept after a failure on a stack of 512 KiB")
    func loading() async {
        let failing = Step { state, event in
            let shown = Promise<KiB64Objects>(error: Refused()).interim(state)
            return if case .other = event { shown } else { .value(state) }
        }
        let lines = await run(failing) { system, log in
            [system.onError { _ in log.add("refused") }, system.addBinding { log.add("\($0.stamp)") }]
        }
        #expect(lines == ["3", "3", "3", "3", "refused", "state 3"])
    }

    @Test("A state of 64 KiB is delivered to all observers on a stack of 512 KiB")
    func audience() async {
        #expect(
            await run { [$0.addLoopCallback { [log = $1] in log.add("\($0.stamp)") }] } == [
                "4", "4", "state 4",
            ])
        #expect(
            await run { system, log in [system.addLoopCallback { state, past in log.add("\(past.count)") }] }
                == ["1", "1", "state 4"])
        #expect(
            await run { system, log in [system.settled.subscribe { log.add("\($0.stamp)") }] }
                == ["3", "4", "4", "state 4"])
        #expect(
            await run { system, log in [system.shown.subscribe { log.add("\($0.isLoading)") }] }
                == ["false", "false", "false", "state 4"])
        #expect(
            await run { system, log in [system.settled.map { $0 }.subscribe { log.add("\($0.stamp)") }] }
                == ["3", "4", "4", "state 4"])
        #expect(
            await run { system, log in [system.onLoop { log.add("\($0.after.stamp)") }] } == [
                "4", "4", "state 4",
            ])
        #expect(
            await run { system, log in
                [
                    system.observe(
                        by: { $0.stamp == $1.stamp }, didChange: { log.add("\($0.stamp) \($1.stamp)") })
                ]
            } == ["3 4", "state 4"])
    }

    @Test("A state of 64 KiB passes through feedbacks and middleware on a stack of 512 KiB")
    func work() async {
        let log = Log<String>()
        let feedbacks: [Feedback<KiB64Objects, Event>] = [
            .lensing(state: { $0.stamp == 4 ? 4 : nil }) { stamp in
                Effect { _ in log.add("state work \(stamp)") }
            },
            .merging(eventsWithState: { $1.stamp }) { stamp in Effect { _ in log.add("event work \(stamp)") }
            },
        ]
        let middleware = Middleware<KiB64Objects, Event>(before: { _, context in
            log.add("middleware \(context.state.stamp)")
            return .pass
        })
        #expect(await run(feedbacks: feedbacks, middleware: middleware) == ["state 4"])
        #expect(log.entries.count { $0 == "state work 4" } == 2)
        #expect(
            log.entries.filter { $0 != "state work 4" } == [
                "middleware 3", "event work 4", "middleware 4", "event work 4",
            ])
    }

    @Test("A part of 64 KiB is changed and read by its scope on a stack of 512 KiB")
    func scoped() async {
        struct Whole: Sendable {
            var wide: KiB64Objects
            var count = 0
        }
        let scope = Scope<Whole, Event, KiB64Objects, Event>(
            get: { $0.wide }, modify: { $1(&$0.wide) }, extract: { $0 }, embed: { $0 })
        let (log, template) = (Log<String>(), Template(KiB64Objects.self, stamp: 3))
        await onSmallStack {
            let system = System<Whole, Event>(
                initialState: Whole(wide: template.value), scheduler: .immediate,
                reducer: Self.inPlace.lifted(by: scope))
            let part = system.scoped(by: scope)
            let token = part.settled.subscribe { log.add("\($0.stamp)") }
            part.sendEvent(.up)
            token.cancel()
        }
        #expect(log.entries == ["3", "4"])
    }
}
