import PromisedSystem
import PromisedTesting

/// The events of a board.
enum Signal: Sendable, Equatable {
    case set(Int?)
    case flag(Bool)
    case note(String)
}

/// A state for feedbacks to react to.
struct Board: Sendable, Equatable {
    var value: Int?
    var flag = false
    var notes: [String] = []

    static let reducer = Reducer<Board, Signal> { board, signal in
        switch signal {
        case .set(let value): board.value = value
        case .flag(let flag): board.flag = flag
        case .note(let text): board.notes.append(text)
        }
    }
}

/// A system of a board on virtual time, whose effects log when they start and stop.
final class EffectBench: Sendable {
    let scheduler = TestScheduler()
    /// `+name` when work starts, `-name` when it is cancelled.
    let works: Log<String>
    let errors = Log<String>()
    let records = Log<LoopRecord<Board, Signal>>()
    private let kept: Box<System<Board, Signal>?>

    init(
        from board: Board = Board(), works: Log<String> = Log(), listensToErrors: Bool = true,
        _ feedbacks: Feedback<Board, Signal>...
    ) {
        self.works = works
        let system = System(
            initialState: board, scheduler: scheduler, reducer: Board.reducer, feedbacks: feedbacks)
        kept = Box(system)
        if listensToErrors { system.onError { [errors] error in errors.add("\(error)") } }
        system.onLoop { [records] in records.add($0) }
        scheduler.advance()
    }

    var system: System<Board, Signal> {
        guard let system = kept.value else { fatalError("The system was released.") }
        return system
    }

    var notes: [String] { system.state.notes }

    func send(_ signals: Signal...) {
        for signal in signals { system.sendEvent(signal) }
        scheduler.advance()
    }

    func advance(_ seconds: Int) { scheduler.advance(by: .seconds(seconds)) }

    func release() { kept.value = nil }

    /// The outcome of every event, in order.
    var outcomes: [String] { records.entries.map { describe($0.outcome) } }
}

extension Log<String> {
    /// Work that sends its name after every delay, and then ends.
    func work(_ name: String, notesAfter delays: [Int] = [], isEndless: Bool = false) -> Effect<Signal> {
        Effect { [self] effect in
            add("+\(name)")
            effect.onCancel { [self] in add("-\(name)") }
            for (number, delay) in delays.enumerated() {
                let isLast = !isEndless && number == delays.count - 1
                effect.scheduler.schedule(after: .seconds(delay)) {
                    effect.send(.note(name))
                    if isLast { effect.finish() }
                }
            }
        }
    }

    /// Work that sends `count` numbered notes at once, and keeps running.
    func burst(_ name: String, _ count: Int) -> Effect<Signal> {
        Effect { [self] effect in
            add("+\(name)")
            effect.onCancel { [self] in add("-\(name)") }
            for number in 1...count { effect.send(.note("\(name)\(number)")) }
        }
    }
}
