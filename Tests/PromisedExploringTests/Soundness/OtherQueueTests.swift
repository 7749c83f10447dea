import Promise
import PromisedExploring
import PromisedSystem
import Synchronization
import TestSupport
import Testing

/// The queue of another system, and promises for its end that outlive their starters.
@Suite struct OtherQueueTests {
    @Test("a cancelled effect has left a handler that waits for the end of the queue")
    func cancelledWaiter() {
        expectSame([5, 4, 6], depth: 5) { (world: World<Int>) -> System<Int, Int> in
            let seen = world.variable(0)
            let target = Box()
            let system = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                feedbacks: [
                    .onEvent({ $0 == 4 || $0 == 6 ? $0 : nil }, policy: .replace) { (number: Int) in
                        number == 4
                            ? Effect<Int> { effect in
                                _ = target.system?.whenIdle().done {
                                    if effect.isCancelled { seen.value = 1 }
                                }
                            } : Effect<Int>.none
                    }
                ],
                configuration: .init(
                    eventPolicy: {
                        $0 == 5 ? .debounce(.seconds(1), key: 5, keepsOrder: false) : .queue
                    })
            ) { state, event in .value(event == 6 ? 100 + seen.value : state) }
            target.system = system
            return system
        }
    }

    @Test("a handler at the end of the queue keeps what it was given")
    func captured() {
        expectSame([2, 3], depth: 5) { (world: World<Int>) -> System<Int, Int> in
            let (seen, mark) = (world.variable(5), world.variable(0))
            let target = Box()
            world.action("flip") { mark.value = 1 - mark.value }
            world.action("wait") {
                let before = mark.value
                _ = target.system?.whenIdle().done { seen.value = before * 2 + mark.value }
            }
            let system = System<Int, Int>(initialState: 0, scheduler: world.scheduler) { state, event in
                event == 2 ? world.call("t", .value(state)) : .value(100 + seen.value)
            }
            target.system = system
            return system
        }
    }

    @Test("the queue of another system")
    func other() {
        expectSame([3], depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let seen = world.variable(0)
            let other = System<Int, Int>(initialState: 0, scheduler: world.scheduler) { state, event in
                event == 2 ? world.call("t", .value(6)) : .value(event)
            }
            for event in 1...2 { world.action("other \(event)") { other.sendEvent(event) } }
            world.action("wait") {
                let before = seen.value
                _ = other.whenIdle().done { seen.value = (before * 2 + other.state) % 7 }
            }
            world.action("drop") { other.dropQueuedEvents() }
            return System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, feedbacks: []
            ) { _, _ in .value(100 + seen.value) }
        }
    }
}

private final class Box: Sendable {
    private let content = Mutex<System<Int, Int>?>(nil)

    var system: System<Int, Int>? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
