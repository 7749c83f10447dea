import PromisedSystem

extension Line {
    static let oneObserver = Line(
        id: "a", what: "an event, a synchronous reducer, 1 observer", operations: 1_000_000,
        ours: Contender(name: "ours") { operations in onSmallThread { send(operations, observers: 1) } },
        peers: [
            Contender(name: "plain class") { operations in
                onSmallThread { sendPlainly(operations, observers: 1) }
            }
        ],
        reach: [.allocations(0), .within(4)])

    static let hundredObservers = Line(
        id: "b", what: "the same with 100 observers", operations: 100_000,
        ours: Contender(name: "ours") { operations in onSmallThread { send(operations, observers: 100) } },
        peers: [
            Contender(name: "plain class") { operations in
                onSmallThread { sendPlainly(operations, observers: 100) }
            }
        ],
        reach: [.allocations(0), .within(1.5)])
}

@inline(never) private func send(_ operations: Int, observers: Int) -> Sample {
    let addend = Sink.addend
    let system = System(
        initialState: 0, scheduler: .immediate,
        reducer: Reducer<Int, Int> { state, event in state &+= event &+ addend })
    let tokens = (0..<observers).map { _ in system.settled.subscribe { Sink.sum &+= $0 &+ addend } }
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { system.sendEvent(index) }
    let sample = stopwatch.stop()
    for token in tokens { token.cancel() }
    return sample
}

/// The same written by hand: a class, its state, and closures.
private final class PlainCounter {
    private var state = 0
    private let reduce: @Sendable (inout Int, Int) -> Void
    private var observers: [(Int) -> Void] = []

    init(_ reduce: @escaping @Sendable (inout Int, Int) -> Void) { self.reduce = reduce }

    func subscribe(_ observer: @escaping (Int) -> Void) {
        observers.append(observer)
        observer(state)
    }

    @inline(never) func send(_ event: Int) {
        reduce(&state, event)
        for observer in observers { observer(state) }
    }
}

@inline(never) private func sendPlainly(_ operations: Int, observers: Int) -> Sample {
    let addend = Sink.addend
    let counter = PlainCounter { state, event in state &+= event &+ addend }
    for _ in 0..<observers { counter.subscribe { Sink.sum &+= $0 &+ addend } }
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { counter.send(index) }
    return stopwatch.stop()
}
