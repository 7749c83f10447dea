import Dispatch
import Foundation
import PromisedSystem
import Synchronization

extension Line {
    static let twoSenders = Line(
        id: "f", what: "two threads sending, until every event is reduced: an event", operations: 2_000_000,
        ours: Contender(name: "ours", run: sendFromTwo),
        peers: [Contender(name: "Mutex around a counter", run: addFromTwo)], reach: [.within(3)],
        note: "wall time on two cores, which ours uses for the senders and for the queue of the system.")
}

/// Runs both halves on new threads, waits for `end`, in wall time.
private func onTwoThreads(
    _ operations: Int, _ body: @escaping @Sendable (Int) -> Void, end: () -> Int
) -> Sample {
    let (meeting, done) = (Meeting(), DispatchGroup())
    for half in 0..<2 {
        done.enter()
        Thread.detachNewThread {
            meeting.wait(for: 3)
            for index in 0..<operations / 2 { body(index &+ half) }
            done.leave()
        }
    }
    meeting.wait(for: 2, arriving: false)
    let stopwatch = Stopwatch(.wall)
    meeting.wait(for: 3)
    done.wait()
    let sum = end()
    var sample = stopwatch.stop()
    sample.sum = sum
    return sample
}

@inline(never) @Sendable private func sendFromTwo(_ operations: Int) -> Sample {
    let addend = Sink.addend
    let scheduler: QueueScheduler = .serial("system")
    let system = System(
        initialState: 0, scheduler: scheduler,
        reducer: Reducer<Int, Int> { state, event in state &+= event &+ addend })
    return onTwoThreads(operations) {
        system.sendEvent($0)
    } end: {
        // Behind everything that was sent.
        let isThrough = DispatchSemaphore(value: 0)
        scheduler.schedule { isThrough.signal() }
        isThrough.wait()
        return system.state
    }
}

@inline(never) @Sendable private func addFromTwo(_ operations: Int) -> Sample {
    let addend = Sink.addend
    let counter = Shared()
    return onTwoThreads(operations) { number in
        counter.state.withLock { $0 &+= number &+ addend }
    } end: {
        counter.state.withLock { $0 }
    }
}

private final class Shared: Sendable {
    let state = Mutex(0)
}
