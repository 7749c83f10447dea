import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// What work reads of a system, and what a second system holds, is part of a configuration.
@Suite struct ReadingTests {
    struct Page: Hashable {
        var number = 0
        var found = -1
    }

    enum Event: Hashable { case turn, look, found(Int) }

    /// The system of a page, for code that is written before it exists.
    final class Reader: @unchecked Sendable {
        weak var system: System<Page, Event>?
        var number: Int { system?.state.number ?? -1 }
    }

    static let turning = Reducer<Page, Event> { page, event in
        switch event {
        case .turn: page.number = 1 - page.number
        case .look: page.found = -1
        case .found(let number): page.found = number
        }
    }

    @Test("the state that an effect reads when it starts, or after an answer", arguments: [false, true])
    func stateReadByEffect(isLate: Bool) {
        expectSame([.turn, .look], depth: 4) { (world: World<Page>) -> System<Page, Event> in
            let reader = Reader()
            @Sendable func find() -> Promise<Event> {
                let number = reader.number
                return world.call("find", .value(.found(number)))
            }
            @Sendable func work() -> Promise<Event> {
                isLate ? world.call("wait", .value(0)).flatMap { _ in find() } : find()
            }
            let system = System(
                initialState: Page(), scheduler: world.scheduler, reducer: Self.turning,
                feedbacks: [.onEvent({ $0 == .look ? true : nil }) { (_: Bool) in work() }])
            reader.system = system
            return system
        }
    }

    final class Number: Hashable, Sendable {
        let value: Int
        init(_ value: Int) { self.value = value }
        static func == (left: Number, right: Number) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    @Test("a payload that is an object, or a number of another type", arguments: [false, true])
    func payloads(isObject: Bool) {
        expectSame([.turn, .look], depth: 4) { (world: World<Page>) -> System<Page, Event> in
            @Sendable func payload(_ number: Int) -> any Sendable {
                isObject ? Number(number) : number == 0 ? 1 : 1.0
            }
            return System(
                initialState: Page(), scheduler: world.scheduler, reducer: Self.turning,
                feedbacks: [
                    .onEvent(withState: { $0 == .look ? payload($1.number) : nil }) {
                        (payload: any Sendable) in
                        world.call(
                            "find", .value(.found((payload as? Number)?.value ?? (payload is Int ? 0 : 1))))
                    }
                ])
        }
    }

    @Test("the state of another system that a reducer reads")
    func stateReadByReducer() {
        expectSame([1], depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let session = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            world.action("sign in") { session.sendEvent(1) }
            world.action("sign out") { session.sendEvent(0) }
            return System<Int, Int>(initialState: 0, scheduler: world.scheduler) { _, _ in
                let user = session.state
                return world.call("save", .value(0)).map { _ in 10 * session.state + user }
            }
        }
    }

    @Test("the state that a policy reads", arguments: [EventPolicy.dropWhileBusy, .replace])
    func stateReadByPolicy(policy: EventPolicy) {
        expectSame([1, 2], depth: 5) { (world: World<Int>) -> System<Int, Int> in
            let mode = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            world.action("change") { mode.sendEvent(1) }
            return System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                configuration: .init(eventPolicy: { _ in mode.state == 1 ? policy : .queue })
            ) { count, number in world.call("add", .value(count * 10 + number)) }
        }
    }

    @Test("the history that a callback reads")
    func history() {
        expectSame([0, 1, 2], depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let sum = world.variable(0)
            let system = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { $0 = $1 * 10 + sum.value },
                configuration: .init(history: .last(3)))
            system.addLoopCallback { (_: Int, states: [Int]) in sum.value = states.reduce(0, +) % 3 }
            return system
        }
    }

    @Test("in which of two other systems an event is enqueued")
    func queuesOfOtherSystems() {
        expectSame([], depth: 5) { (world: World<Int>) -> System<Int, Int> in
            @Sendable func counter(_ name: String) -> System<Int, Int> {
                System(initialState: 0, scheduler: world.scheduler) { count, _ in
                    world.call(name, .value(count + 1))
                }
            }
            let (left, right) = (counter("left"), counter("right"))
            let phase = world.variable(0)
            func action(_ name: String, _ from: Int, _ systems: System<Int, Int>...) {
                world.action(name) {
                    guard phase.value == from else { return }
                    phase.value = from + 1
                    for system in systems { system.sendEvent(1) }
                }
            }
            action("both", 0, left, right)
            action("left", 1, left)
            action("right", 1, right)
            world.always("the right one is not 2 before the left one is 1", of: right) {
                $0 < 2 || left.state > 0
            }
            return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
    }

    @Test("a callback that is added later, where systems are brought to states at rest without a path")
    func callbackAddedLater() {
        expectSame(Array(0...6), depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let (isOpen, changes) = (world.variable(false), world.variable(0))
            let system = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    switch event {
                    case 6: state = state / 10 * 10 + changes.value
                    case 5: state = (state + 30) % 300
                    default: state = event * 10
                    }
                })
            world.action("open") { [weak system] in
                if isOpen.value { return }
                isOpen.value = true
                system?.onLoop { changes.value = (changes.value + $0.before / 30 + 1) % 4 }
            }
            return system
        }
    }

    @Test("a cycle of steps that need not be executed otherwise")
    func cycleOfInferredSteps() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            world.responds("each one is taken back", to: .event(1)) { $0 == 0 }
            return System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                // Comes too late if the next event is always enqueued already.
                feedbacks: [.onEvent({ $0 == 1 ? true : nil }) { _ in Effect.just(-1) }]
            ) { state, event in
                event == 1 ? world.call("add", .value(1)).map { state + $0 } : .value(state + event)
            }
        }
        let found = explorer.explore(depth: 5).counterexample
        #expect(found?.steps.count == 5)
        #expect(found?.cycle == 3..<5)
    }

    @Test("the open throttle window of another system")
    func windowOfAnotherSystem() {
        expectSame([0], depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let other = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 },
                configuration: .init(eventPolicy: { $0 > 0 ? .throttle(.seconds(1), key: "k") : .queue }))
            for number in 0...2 { world.action("\(number)") { other.sendEvent(number) } }
            return System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = other.state + 0 * $1 })
        }
    }
}
