import Dispatch
import Promise

extension Line {
    static let cancelledTimers = Line(
        id: "t", what: "a timer of ten minutes, started and cancelled, 1,000,000 of them",
        operations: 1_000_000,
        ours: Contender(name: "ours") { operations in onSmallThread { startAndCancel(operations) } },
        peers: [
            Contender(name: "asyncAfter") { operations in onSmallThread { startAndCancelItems(operations) } }
        ],
        reach: [.nanoseconds(1_000)])
}

@inline(never) private func startAndCancel(_ operations: Int) -> Sample {
    let scheduler = QueueScheduler(queue: DispatchQueue(label: "timers"))
    let stopwatch = Stopwatch(.thread)
    for _ in 0..<operations { scheduler.schedule(after: .seconds(600)) { Sink.sum &+= 1 }.cancel() }
    return stopwatch.stop()
}

/// Its timers stay until their time has come.
@inline(never) private func startAndCancelItems(_ operations: Int) -> Sample {
    let queue = DispatchQueue(label: "timers")
    let stopwatch = Stopwatch(.thread)
    for _ in 0..<operations {
        let item = DispatchWorkItem { Sink.sum &+= 1 }
        queue.asyncAfter(deadline: .now() + 600, execute: item)
        item.cancel()
    }
    return stopwatch.stop()
}
