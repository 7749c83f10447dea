import PromisedSystem

extension Line {
    static let effectAtOnce = Line(
        id: "c", what: "an event whose effect answers at once, both turns", operations: 200_000,
        ours: .onThread("ours", askAtOnce), peers: [.asTask("task and actor hop", hop)],
        reach: [.allocations(6), .faster(2)])
}

private enum Event: Sendable {
    case ask(Int)
    case answer(Int)
}

@inline(never) @Sendable private func askAtOnce(_ operations: Int) {
    let addend = Sink.addend
    let answering = Feedback<Int, Event>.withLatest(
        events: { if case .ask(let number) = $0 { number } else { nil } },
        effects: { Promise.value(.answer($0 &+ addend)) })
    let system = System<Int, Event>(
        initialState: 0, scheduler: .immediate,
        reducer: Reducer { state, event in if case .answer(let number) = event { state = number } },
        feedbacks: [answering])
    for index in 0..<operations {
        system.sendEvent(.ask(index))
        Sink.sum &+= system.state
    }
}

private actor Answering {
    func answer(_ number: Int, _ addend: Int) -> Int { number &+ addend }
}

@Sendable private func hop(_ operations: Int) async {
    let addend = Sink.addend
    let answering = Answering()
    for index in 0..<operations {
        Sink.sum &+= await Task { await answering.answer(index, addend) }.value
    }
}
