import PromisedExploring
import PromisedSystem
import Testing

/// A stopwatch that is stopped and set to zero with one button.
enum Stopwatch {
    struct State: Hashable, Sendable {
        var isRunning = false
        var seconds = 0
    }

    enum Event: Hashable, Sendable {
        case toggle, tick
    }

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .toggle: state = State(isRunning: !state.isRunning)
        case .tick: state.seconds = (state.seconds + 1) % 10
        }
    }

    /// Planted: each tick begins the next second, and what has begun is not stopped. Mended: a second lasts as long as
    /// the state asks for it.
    static func ticking(isMended: Bool) -> Feedback<State, Event> {
        @Sendable func second(_ seconds: Int) -> Promise<Event> { Promise.value(.tick).delay(.seconds(1)) }
        return isMended
            ? .latest(state: { $0.isRunning ? $0.seconds : nil }, effects: second)
            : .onEvent(withState: { _, state in state.isRunning ? state.seconds : nil }, effects: second)
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.toggle]) { world in
            world.always("a stopped watch stands at zero") { $0.isRunning || $0.seconds == 0 }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [ticking(isMended: isMended)])
        }
    }
}

// After the timer samples of The Composable Architecture and XState.
@Suite struct StopwatchTests {
    @Test("a stopped watch ticks once more: found in 3 steps")
    func planted() throws {
        let found = try #require(Stopwatch.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(found.steps == [.send(.toggle), .send(.toggle), .advance(by: .seconds(1))])
    }

    @Test("the second that has begun is cancelled: complete")
    func mended() {
        let exploration = Stopwatch.explorer(isMended: true).check(depth: 60)
        #expect(exploration.gaps == [])
    }
}
