import Foundation
import MemoryInUse
import PromisedSystem

/// Sends events to a system that uses a little of everything, and measures the memory of the process.
@main
enum SystemSoak {
    /// Off the main actor, as a service would be.
    nonisolated static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let events = arguments.isEmpty ? 10_000_000 : arguments.first.flatMap({ Int($0) }),
            events >= 100,
            arguments.count <= 1
        else {
            print("system-soak [EVENTS]    sends so many events (10,000,000), 100 at least")
            exit(2)
        }
        let (counter, late) = (Busy(), Late())
        let tokens = (0..<10).map { number in
            counter.system.settled.subscribe { Sink.sum &+= $0.total &+ number }
        }
        var atTenth = 0
        for event in 1...events {
            counter.system.sendEvent(.count(event))
            if event % 10 == 0 { late.send(event) }
            if event % 10_000 == 0 || event == events { late.wait() }
            if event == events / 10 { atTenth = Int(resident_bytes()) }
        }
        let growth = Double(Int(resident_bytes()) - atTenth) / Double(1 << 20)
        withExtendedLifetime(tokens) {}
        let state = counter.system.state
        print(
            "\(events) events, \(state.answers) answers of effects, \(state.looks) looks of the middleware, "
                + "\(late.system.state.transitions) asynchronous transitions: "
                + "resident memory grew by \(String(format: "%.2f", growth)) MiB from the first tenth to the end"
        )
        guard state.total == events * (events + 1) / 2, state.answers == events, state.looks == events / 1000
        else {
            print("==== FAILED: events were lost: \(state)")
            exit(1)
        }
        guard late.system.state.transitions == events / 10, late.system.state.typed == 0 else {
            print("==== FAILED: transitions were lost: \(late.system.state)")
            exit(1)
        }
        if growth >= 1 {
            print("==== FAILED: that is 1 MiB or more.")
            exit(1)
        }
    }
}

/// Stores what subscribers receive, so that nothing is optimised away.
enum Sink {
    @exclusivity(unchecked) nonisolated(unsafe) static var sum = 0
}

/// A history, two feedbacks and a middleware.
struct Busy {
    enum Event: Sendable {
        case count(Int)
        case answered
        case looked
    }

    struct State: Sendable {
        var total = 0
        var answers = 0
        var looks = 0
        var round = 0
    }

    let system: System<State, Event>

    init() {
        let answering = Feedback<State, Event>.withLatest(
            events: { if case .count(let number) = $0 { number } else { nil } },
            effects: { _ in Promise.value(.answered) })
        // Changes with every thousandth event, and then replaces the work that it has started before.
        let watching = Feedback<State, Event>.lensingSkippingRepeated(
            state: { $0.round }, effects: { _ in Effect<Event>.never })
        let looking = Middleware<State, Event>(after: { event, system in
            if case .count(let number) = event, number % 1000 == 0 { system.sendEvent(.looked) }
        })
        system = System(
            initialState: State(), scheduler: .immediate,
            reducer: Reducer { state, event in
                switch event {
                case .count(let number):
                    state.total += number
                    state.round = number / 1000
                case .answered: state.answers += 1
                case .looked: state.looks += 1
                }
            }, feedbacks: [answering, watching], middleware: looking,
            configuration: .init(history: .last(100)))
    }
}

/// Asynchronous transitions with time limits, and debounced events, whose timers would last ten minutes each.
struct Late {
    enum Event: Sendable { case next, typed(Int), done }

    struct State: Sendable { var (transitions, typed) = (0, 0) }

    let system: System<State, Event>
    private let isDone = DispatchSemaphore(value: 0)

    init() {
        system = System(
            initialState: State(), scheduler: .serial("late"),
            configuration: .init(
                eventPolicy: {
                    if case .typed = $0 {
                        .debounce(.seconds(600), key: "text", keepsOrder: false)
                    } else {
                        .queue
                    }
                }, timeLimit: { _ in .seconds(600) })
        ) { state, event in
            switch event {
            case .next:
                Promise {
                    await Task.yield()
                    return State(transitions: state.transitions + 1, typed: state.typed)
                }.timeout(.seconds(600))
            case .typed: .value(State(transitions: state.transitions, typed: state.typed + 1))
            case .done: .value(state)
            }
        }
        system.onLoop { [isDone] in if case .done = $0.event { isDone.signal() } }
    }

    func send(_ number: Int) {
        system.sendEvent(.typed(number))
        system.sendEvent(.next)
    }

    /// Waits until all transitions are over.
    func wait() {
        system.sendEvent(.done)
        isDone.wait()
    }
}
