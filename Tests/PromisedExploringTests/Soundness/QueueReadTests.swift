import Promise
import PromisedExploring
import PromisedSystem
import Synchronization
import TestSupport
import Testing

/// What looks at the queue, empties it or waits for its end depends on it.
@Suite struct QueueReadTests {
    enum Use: CaseIterable { case running, dropping, dropsLater, waiting, waitsTwice }

    /// The event 2 has a call, 3 shows what was seen, and 5 is debounced; an action, or an effect of 4, uses the queue.
    private static func build(_ use: Use, byEffect: Bool) -> @Sendable (World<Int>) -> System<Int, Int> {
        { world in
            let seen = world.variable(0)
            let later = world.variable(false)
            let target = Target()
            let look: @Sendable () -> Void = {
                guard let system = target.system else { return }
                switch use {
                case .running: seen.value = min(system.running.count { $0.kind == .pendingEvent }, 2)
                case .dropping: system.dropQueuedEvents()
                case .dropsLater:
                    if later.value { system.dropQueuedEvents() }
                    later.value = !later.value
                case .waiting: _ = system.whenIdle().done { seen.value = min(seen.value + 1, 3) }
                case .waitsTwice:
                    let before = seen.value
                    _ = system.whenIdle().done { seen.value = (before * 2 + 1) % 5 }
                }
            }
            if !byEffect { world.action("look", look) }
            let system = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                feedbacks: [
                    .onEvent({ $0 == 4 && byEffect ? 4 : nil }) { (_: Int) in
                        Effect<Int>.fireAndForget {
                            _ = try await world.call("look", .value(0)).value
                            look()
                        }
                    }
                ],
                configuration: .init(
                    eventPolicy: { $0 == 5 ? .debounce(.seconds(1), key: 5) : .queue })
            ) { state, event in
                switch event {
                case 2: world.call("t", .value(6))
                case 5: .value(8)
                case 4: .value(state)
                default: .value(100 + seen.value)
                }
            }
            target.system = system
            return system
        }
    }

    @Test("an exploration sees what every path sees", arguments: Use.allCases, [false, true])
    func uses(_ use: Use, byEffect: Bool) {
        for events in byEffect ? [[2, 3]] : [[2, 3], [2, 5], [2, 3, 5]] {
            let all = byEffect ? events + [4] : events
            let found = expectSame(all, depth: all.count > 2 ? 4 : 5, Self.build(use, byEffect: byEffect))
            if use == .running, all == [2, 3] { #expect(found.states.contains(102), "\(found)") }
        }
    }

    @Test("the explorer's audit has no alarm with a queue that is emptied", arguments: Use.allCases)
    func audited(_ use: Use) {
        let found = Explorer(events: [2, 3, 5], build: Self.build(use, byEffect: false))
            .explore(depth: 4, .init(audit: 1))
        #expect(found.counterexample == nil, "\(found)")
    }
}

/// The system that an action looks at.
private final class Target: Sendable {
    private let content = Mutex<System<Int, Int>?>(nil)

    var system: System<Int, Int>? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
