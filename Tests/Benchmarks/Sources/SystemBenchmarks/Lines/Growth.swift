import PromisedSystem

// What must not cost more the more there is of it.
extension Line {
    static let manySubscribers = Line(
        id: "s", what: "one of 20,000 subscribers comes and goes again, the first first", operations: 20_000,
        ours: Contender(name: "ours") { operations in onSmallThread { subscribe(operations) } },
        peers: [
            Contender(name: "dictionary") { operations in onSmallThread { subscribePlainly(operations) } }
        ],
        reach: [.nanoseconds(20_000)])

    static let manyEventsOfMiddleware = Line(
        id: "w", what: "one of 80,000 events that middleware sends in one turn", operations: 80_000,
        ours: Contender(name: "ours") { operations in onSmallThread { sendByMiddleware(operations) } },
        reach: [.nanoseconds(2_000)])
}

@inline(never) private func subscribe(_ operations: Int) -> Sample {
    let system = System(
        initialState: 0, scheduler: .immediate, reducer: Reducer<Int, Int> { state, event in state &+= event }
    )
    let stopwatch = Stopwatch(.thread)
    let tokens = (0..<operations).map { _ in system.settled.subscribe { Sink.sum &+= $0 } }
    for token in tokens { token.cancel() }
    return stopwatch.stop()
}

@inline(never) private func subscribePlainly(_ operations: Int) -> Sample {
    var subscribers: [Int: (Int) -> Void] = [:]
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { subscribers[index] = { Sink.sum &+= $0 } }
    for index in 0..<operations { subscribers[index] = nil }
    return stopwatch.stop()
}

@inline(never) private func sendByMiddleware(_ operations: Int) -> Sample {
    let sending = Middleware<Int, Int>(before: { event, system in
        if event < 0 { for number in 0..<(-event) { system.sendEvent(number) } }
        return .pass
    })
    let system = System(
        initialState: 0, scheduler: .immediate,
        reducer: Reducer<Int, Int> { state, event in state &+= event }, middleware: sending,
        configuration: .init(cascadeLimit: 10))
    let stopwatch = Stopwatch(.thread)
    system.sendEvent(-operations)
    let sample = stopwatch.stop()
    Sink.sum &+= system.state
    return sample
}
