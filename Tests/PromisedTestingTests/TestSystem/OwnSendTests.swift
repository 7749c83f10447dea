import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// What the test itself has sent is known by its identity, not by its place in the source.
@Suite struct OwnSendTests {
    enum Event: Sendable, Equatable { case load, loaded(Int), save(Int), other }

    private static let file: StaticString = "Same/Same.swift"

    /// A feature whose events are sent at the same place as those of the test.
    private static func feature(
        middleware: Middleware<Int, Event> = .identity
    ) -> Feature<Int, Event> {
        Feature(
            reducer: Reducer { count, event in
                switch event {
                case .loaded(let number), .save(let number): count = count * 10 + number
                case .load, .other: break
                }
            },
            feedbacks: [
                .onEvent(
                    { $0 == .load ? true : nil },
                    effects: { _ in Effect<Event>.sequence([.loaded(1), .loaded(2)]) },
                    file: file, line: 1)
            ], middleware: middleware)
    }

    private func send(_ event: Event, _ test: TestSystem<Int, Event>, _ changes: ((inout Int) -> Void)? = nil)
    {
        test.send(event, fileID: Self.file, line: 1, changes)
    }

    @Test("OS-55: an event of the feature that is written in the same line as the test's has to be received")
    func sameLine() {
        let test = TestSystem(initialState: 0, feature: Self.feature())
        send(.load, test) { $0 = 0 }
        test.receive(.loaded(1)) { $0 = 1 }
        test.receive(.loaded(2)) { $0 = 12 }
        send(.save(3), test) { $0 = 123 }
        test.finish()
    }

    @Test(
        "OS-55: an event of the test that is processed late, or never, is not mistaken for one of the feature",
        arguments: ["debounce", "throttle", "drop", "replace", "stop", "other"])
    func notProcessed(way: String) {
        let policy: EventPolicy =
            switch way {
            case "debounce": .debounce(.seconds(1), key: "save")
            case "throttle": .throttle(.seconds(1), key: "save")
            case "drop": .dropWhileBusy
            default: .queue
            }
        let middleware = Middleware<Int, Event>(before: { event, _ in
            guard case .save(let number) = event, number == 4 else { return .pass }
            return way == "stop" ? .stop : way == "replace" ? .replace(.save(5)) : .pass
        })
        let test = TestSystem(
            initialState: 0, feature: Self.feature(middleware: middleware),
            configuration: .init(eventPolicy: { if case .save = $0 { policy } else { .queue } }))
        send(.save(3), test)
        send(.save(4), test)
        send(.load, test)
        test.receive(.loaded(1))
        test.receive(.loaded(2))
        test.advance(by: .seconds(1))
        test.skipStates()
        test.finish()
    }

    @Test(
        "OS-55: sends of one line in a loop are each asserted in their own turn, also while a transition runs"
    )
    func loop() {
        let test = TestSystem<Int, Int>(initialState: 0) { state, number in
            number == 1 ? Promise.value(state + 1).delay(.seconds(1)) : .value(state + number)
        }
        for number in [2, 1, 3] { test.send(number) }
        test.advance(by: .seconds(1))
        test.assert { $0 = 2 }
        test.assert { $0 = 3 }
        test.assert { $0 = 6 }
        for number in [4, 5] { test.send(number) { $0 += number } }
        test.finish()
    }

    @Test("OS-55: an event outside the scope of the test is passed over between two of its own")
    func outsideScope() {
        let scope = Scope<Int, Event, Int, Int>(
            get: { $0 }, modify: { $1(&$0) },
            extract: { if case .save(let number) = $0 { number } else { nil } },
            embed: { $0 == 9 ? .other : .save($0) })
        let scheduler = TestScheduler()
        let system = System(initialState: 0, scheduler: scheduler, feature: Self.feature())
        let test = TestSystem(system, scopedBy: scope, on: scheduler)
        test.send(9)
        system.sendEvent(.save(1), file: Self.file, line: 1)
        test.send(2, fileID: Self.file, line: 1)
        test.receive(1) { $0 = 1 }
        test.assert { $0 = 12 }
        test.finish()
    }
}
