import PromisedSystem
import TestSupport
import Testing

/// The published form accepts what every other form accepts.
@Suite @MainActor struct MainSystemTests {
    private static let counting = Reducer<Int, Int> { state, event in state += event }
    /// Sends 10 for every 1.
    private static let tenfold = Feedback<Int, Int>.merging(events: { $0 == 1 ? 10 : nil }) {
        Effect<Int>.just($0)
    }
    private static let noSevens = Middleware<Int, Int>(before: { event, _ in event == 7 ? .stop : .pass })

    @Test("A system on the main queue takes feedbacks and middleware, with a reducer of any form")
    func feedbacks() async {
        var shown: [Int] = []
        let systems: [() -> System<Int, Int>] = [
            {
                .pure(
                    initialState: 0, reducer: { .value($0 + $1) }, feedbacks: [Self.tenfold],
                    middleware: Self.noSevens, uiBindings: [{ shown.append($0) }])
            },
            {
                .pure(
                    initialState: 0, reducer: Self.counting, feedbacks: [Self.tenfold],
                    middleware: Self.noSevens, uiBindings: [{ shown.append($0) }])
            },
            {
                .pure(
                    initialState: 0,
                    feature: Feature(
                        reducer: Self.counting, feedbacks: [Self.tenfold], middleware: Self.noSevens),
                    uiBindings: [{ shown.append($0) }])
            },
        ]
        for system in systems {
            let system = system()
            await mainCaughtUp()
            #expect(shown == [0])
            system.sendEvent(1)
            system.sendEvent(7)
            await mainCaughtUp()
            #expect(shown == [0, 1, 11])
            #expect(Array(system.history) == [0, 1, 11])
            shown = []
        }
    }

    @Test("A system on the main queue takes a cascade limit")
    func runawayLimit() async {
        let endless = Feedback<Int, Int>.merging(events: { $0 }) { Effect<Int>.just($0) }
        Reports.begin()
        let dropped = Log<String>()
        let system = System<Int, Int>.pure(
            initialState: 0, reducer: Self.counting, feedbacks: [endless],
            configuration: .init(cascadeLimit: 3))
        let other = System<Int, Int>(
            initialState: 0, scheduler: .immediate, reducer: Self.counting, feedbacks: [endless],
            configuration: .init(cascadeLimit: 3))
        system.onLoop { if case .dropped(let reason) = $0.outcome { dropped.add("\(reason)") } }
        system.sendEvent(1)
        other.sendEvent(1)
        await mainCaughtUp()
        #expect(dropped.entries == ["runaway"])
        #expect(system.state == other.state)
    }

    @Test("Called off the main thread, the published form shows the initial state on it")
    func offMain() async {
        let shown = Log<Int>()
        let made = Box<System<Int, Int>?>(nil)
        holding {
            made.value = .pure(
                initialState: 3, reducer: { .value($0 + $1) },
                uiBindings: [
                    { state in
                        MainActor.assertIsolated(); shown.add(state)
                    }
                ])
        }
        #expect(shown.entries == [])
        await mainCaughtUp()
        #expect(shown.entries == [3])
        made.value?.sendEvent(1)
        await mainCaughtUp()
        #expect(shown.entries == [3, 4])
    }
}
