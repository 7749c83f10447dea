import Dispatch
import Foundation
import PromisedRecording
import PromisedSystem

// What recording costs the loop of a counter.
extension Line {
    static let recorded = Line(
        id: "r", what: "an event of a counter whose reducer waits for a promise, recorded: the loop's thread",
        operations: 20_000,
        ours: Contender(name: "ours") { operations in asynchronously(operations, .thread, Session()) },
        peers: [Contender(name: "unrecorded") { operations in asynchronously(operations, .thread) }],
        reach: [.within(1.5)],
        note: "the writer encodes on a queue of its own meanwhile, here and in rs, which is not counted.")

    static let recordedUntilWritten = Line(
        id: "rw", what: "the same in wall time, until the file is written", operations: 20_000,
        ours: Contender(name: "ours") { operations in asynchronously(operations, .wall, Session()) },
        peers: [Contender(name: "unrecorded") { operations in asynchronously(operations, .wall) }],
        reach: [])

    static let recordedAtOnce = Line(
        id: "rs", what: "an event of a counter with a reducer in place, recorded: the loop's thread",
        operations: 20_000,
        ours: Contender(name: "ours") { operations in inPlace(operations, Session()) },
        peers: [Contender(name: "unrecorded") { operations in inPlace(operations) }],
        reach: [.within(1.5)])
}

/// A recorder with a new file, which is removed at the end.
struct Session: Sendable {
    let path: String
    let recorder: SessionRecorder

    init() {
        path = URL.temporaryDirectory.appending(path: "benchmark-\(UUID()).jsonl").path
        do { recorder = try SessionRecorder(to: .file(path), program: "benchmark") } catch {
            fatalError("\(error)")
        }
    }

    func flush() { wait { await recorder.flush() } }
    func finish() { wait { await recorder.finish() } }

    private func wait(for end: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await end()
            done.signal()
        }
        done.wait()
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

extension System.Configuration where State == Int, Event == Int {
    fileprivate func recorded(in session: Session?) -> Self {
        session.map { recorded(by: $0.recorder, as: "counter") } ?? self
    }
}

/// A counter whose reducer is a chain on a promise that this thread fulfils.
@inline(never) @Sendable
private func asynchronously(_ operations: Int, _ clock: Clock, _ session: Session? = nil) -> Sample {
    let answer = Reply<Resolver<Int>>()
    let system = System<Int, Int>(
        initialState: 0, scheduler: .immediate, configuration: .init().recorded(in: session)
    ) { state, event in
        Promise { answer.value = $0 }.map { state &+ event &+ $0 }.stateWhenLoading(-1)
    }
    let addend = Sink.addend
    let stopwatch = Stopwatch(clock)
    for event in 0..<operations {
        system.sendEvent(event)
        answer.value?.fulfill(addend)
    }
    if clock == .wall { session?.finish() }
    let sample = stopwatch.stop()
    Sink.sum &+= system.state
    session?.finish()
    session?.remove()
    return sample
}

@inline(never) @Sendable private func inPlace(_ operations: Int, _ session: Session? = nil) -> Sample {
    let addend = Sink.addend
    let system = System(
        initialState: 0, scheduler: .immediate,
        reducer: Reducer<Int, Int> { state, event in state &+= event &+ addend },
        configuration: .init().recorded(in: session))
    let stopwatch = Stopwatch(.thread)
    for event in 0..<operations { system.sendEvent(event) }
    let sample = stopwatch.stop()
    Sink.sum &+= system.state
    session?.finish()
    session?.remove()
    return sample
}
