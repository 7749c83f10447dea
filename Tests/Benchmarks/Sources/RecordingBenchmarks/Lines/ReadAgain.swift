import Foundation
import PromisedRecording
import PromisedSystem

// What is done with a recording of 1,000,000 turns.
extension Line {
    static let seek = Line(
        id: "p", what: "the state of any of 1,000,000 recorded turns", operations: 1_000, smallest: 100,
        ours: Contender(name: "ours", run: seekStates),
        reach: [.nanoseconds(50_000_000), .growth(mebibytes: 100)],
        note: "memory: the index of the recording, and the largest part that was read at once.")

    static let rerun = Line(
        id: "n", what: "a turn of a recorded counter, run again and compared", operations: 1_000_000,
        smallest: 1_000_000,
        ours: Contender(name: "ours", run: runAgain), reach: [.nanoseconds(3_333)])
}

/// A counter's session of 1,000,000 turns, which is recorded once.
private let million: String = {
    let session = Session()
    let system = System(
        initialState: 0, scheduler: .immediate, reducer: counter,
        configuration: .init().recorded(by: session.recorder, as: "counter"))
    for event in 0..<1_000_000 {
        system.sendEvent(event % 7)
        // The facts that wait for the writer are bounded.
        if event % 20_000 == 0 { session.flush() }
    }
    session.finish()
    atexit { unlink(million) }
    return session.path
}()

private let counter = Reducer<Int, Int> { state, event in state &+= event }

@inline(never) @Sendable private func seekStates(_ operations: Int) -> Sample {
    do {
        let path = million
        let stopwatch = Stopwatch(.thread)
        let recording = try Recording(contentsOf: path)
        var playback = try recording.playback(of: "counter", Int.self)
        var turn = 1
        for step in 0..<operations {
            turn = turn &* 48_271 % 999_983
            try playback.seek(to: turn)
            Sink.sum &+= try playback.state
            Growth.look(step << 16)
        }
        return stopwatch.stop()
    } catch { fatalError("\(error)") }
}

@inline(never) @Sendable private func runAgain(_ operations: Int) -> Sample {
    do {
        let recording = try Recording(contentsOf: million)
        let stopwatch = Stopwatch(.thread)
        let result = try recording.run(Int.self, Int.self, as: "counter") { start in
            System(initialState: start.state, scheduler: start.scheduler, reducer: counter)
        }
        precondition(result.difference == nil && result.turns == operations, "\(result)")
        return stopwatch.stop()
    } catch { fatalError("\(error)") }
}
