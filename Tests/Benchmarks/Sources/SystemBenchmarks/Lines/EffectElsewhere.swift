import Dispatch
import PromisedSystem

extension Line {
    static let effectElsewhere = Line(
        id: "d", what: "an effect that answers from another queue, until the answer is shown",
        operations: 20_000,
        ours: Contender(name: "ours", run: askElsewhere),
        peers: [Contender(name: "queue hops", run: hopQueues)], reach: [.within(1.4)],
        note:
            "the same two queues are served, and the same thread waits for the answer; most of it is waking.")
}

private enum Event: Sendable {
    case ask(Int)
    case answer(Int)
}

@inline(never) @Sendable private func askElsewhere(_ operations: Int) -> Sample {
    let addend = Sink.addend
    let other = DispatchQueue(label: "other")
    let answered = DispatchSemaphore(value: 0)
    let asking = Feedback<Int, Event>.withLatest(
        events: { if case .ask(let number) = $0 { number } else { nil } },
        effects: { number in
            Promise { resolver in other.async { resolver.fulfill(Event.answer(number &+ addend)) } }
        })
    let system = System<Int, Event>(
        initialState: 0, scheduler: .serial("system"),
        reducer: Reducer { state, event in if case .answer(let number) = event { state = number } },
        feedbacks: [asking])
    let token = system.settled.removeDuplicates().subscribe { state in
        guard state != 0 else { return }
        Sink.sum &+= state
        answered.signal()
    }
    let stopwatch = Stopwatch(.wall)
    for index in 0..<operations {
        system.sendEvent(.ask(index))
        answered.wait()
    }
    let sample = stopwatch.stop()
    token.cancel()
    return sample
}

@inline(never) @Sendable private func hopQueues(_ operations: Int) -> Sample {
    let addend = Sink.addend
    let (own, other) = (DispatchQueue(label: "system"), DispatchQueue(label: "other"))
    let answered = DispatchSemaphore(value: 0)
    let stopwatch = Stopwatch(.wall)
    for index in 0..<operations {
        own.async {
            other.async {
                own.async {
                    Sink.sum &+= index &+ addend
                    answered.signal()
                }
            }
        }
        answered.wait()
    }
    return stopwatch.stop()
}
