import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

/// A timer of two seconds that can be stopped and started again.
enum KitchenTimer {
    struct State: Hashable, Sendable {
        var isRunning = false
        var seconds = 0
        var startedAt = Duration.zero
        /// Bounded, because the time is part of the state and would grow without a bound.
        var starts = 0
    }

    enum Event: Hashable, Sendable {
        case toggle, tick
    }

    static func reducer(_ now: @escaping @Sendable () -> Duration) -> Reducer<State, Event> {
        Reducer { state, event in
            switch event {
            case .toggle where state.isRunning: state.isRunning = false
            case .toggle where state.starts < 2:
                state = State(isRunning: true, startedAt: now(), starts: state.starts + 1)
            case .tick where state.isRunning:
                state.seconds += 1
                state.isRunning = state.seconds < 2
            default: break
            }
        }
    }

    /// Planted: a tick after the stop is ignored, but after another start it counts. Mended: no tick comes after the
    /// stop.
    static func ticking(isMended: Bool) -> Feedback<State, Event> {
        @Sendable func second(_ seconds: Int) -> Promise<Event> { Promise.value(.tick).delay(.seconds(1)) }
        return isMended
            ? .latest(state: { $0.isRunning ? $0.seconds : nil }, effects: second)
            : .onEvent(withState: { _, state in state.isRunning ? state.seconds : nil }, effects: second)
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.toggle]) { world in
            @Sendable func now() -> Duration { world.scheduler.now }
            world.always("the timer is not fast") { .seconds($0.seconds) <= now() - $0.startedAt }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer(now),
                feedbacks: [ticking(isMended: isMended)])
        }
    }
}

// After the timer of the seven GUIs.
@Suite struct KitchenTimerTests {
    @Test("two timers run after start, stop and start: found in 4 steps")
    func planted() throws {
        let found = try #require(KitchenTimer.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.toggle), .send(.toggle), .send(.toggle), .advance(by: .seconds(1)),
            ])
    }

    @Test("stopping cancels the second that has begun: complete")
    func mended() {
        let exploration = KitchenTimer.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
