import Promise
import PromisedSystem
import TestSupport
import Testing

/// The history and the state, read by one thread while another sends.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(10)), .tags(.sharedState)) struct HistoryRaceTests {
    @Test(
        "PK-12: from any thread, the history is never ahead of the state",
        arguments: [HistoryLimit.last(3), .last(100), .unlimited])
    func neverAhead(limit: HistoryLimit) async {
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate, reducer: { .value($0 + $1) },
            configuration: .init(history: limit))
        let ahead = SharedCount()
        let isOver = Switch()
        await onThreads(2) { thread in
            if thread == 0 {
                for _ in 0..<rounds(10_000, stress: 50_000) { system.sendEvent(1) }
                isOver.turnOn()
            } else {
                while !isOver.isOn {
                    let last = system.history.last ?? 0
                    if last > system.state { ahead.add(1) }
                }
            }
        }
        #expect(ahead.value == 0)
        #expect(system.history.last == system.state)
    }
}
