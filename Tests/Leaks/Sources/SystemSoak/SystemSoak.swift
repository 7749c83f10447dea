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
        let counter = Busy()
        let tokens = (0..<10).map { number in
            counter.system.settled.subscribe { Sink.sum &+= $0.total &+ number }
        }
        var atTenth = 0
        for event in 1...events {
            counter.system.sendEvent(.count(event))
            if event == events / 10 { atTenth = Int(resident_bytes()) }
        }
        let growth = Double(Int(resident_bytes()) - atTenth) / Double(1 << 20)
        withExtendedLifetime(tokens) {}
        let state = counter.system.state
        print(
            "\(events) events, \(state.answers) answers of effects, \(state.looks) looks of the middleware: "
                + "resident memory grew by \(String(format: "%.2f", growth)) MiB from the first tenth to the end"
        )
        guard state.total == events * (events + 1) / 2, state.answers == events, state.looks == events / 1000
        else {
            print("==== FAILED: events were lost: \(state)")
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
