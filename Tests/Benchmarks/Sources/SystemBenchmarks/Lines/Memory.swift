import PromisedSystem

extension Line {
    static let memory = Line(
        id: "g", what: "1,000,000 events, no history: the most memory beyond the start",
        operations: 1_000_000,
        smallest: 1_000_000, ours: .onThread("ours") { sendWatched($0, history: .none) },
        reach: [.growth(mebibytes: 0.1)])

    static let memoryWithHistory = Line(
        id: "g2", what: "the same with a history of 1,000", operations: 1_000_000, smallest: 1_000_000,
        ours: .onThread("ours") { sendWatched($0, history: .last(1_000)) },
        reach: [.growth(mebibytes: 0.1)])
}

@inline(never) private func sendWatched(_ operations: Int, history: HistoryLimit) {
    let addend = Sink.addend
    let system = System(
        initialState: 0, scheduler: .immediate, configuration: .init(history: history),
        reducer: { state, event in
            Promise.value(state &+ event &+ addend)
        })
    for index in 0..<operations {
        system.sendEvent(index)
        Growth.look(index)
    }
    Sink.sum &+= system.state
}
