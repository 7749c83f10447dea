import Promise
import PromisedTesting

@testable import PromisedRecording

/// Texts that are added to a state: at once, after a time, or never; and commands for feedbacks.
enum Note: Sendable, Equatable {
    case add(String)
    case late(String, Duration)
    case loading(String, Duration)
    case fail
    /// Starts an effect that adds a text after a time.
    case effect(String, Duration)
}

/// A system in virtual time with an asynchronous reducer, effects, a debounced event, and what its readers have got.
final class TravelBench: Sendable {
    let scheduler = TestScheduler()
    let system: System<String, Note>
    let travel: TimeTravel<String, Note>
    let bound = Entries<String>()
    let settled = Entries<String>()
    let records = Entries<LoopRecord<String, Note>>()
    private let token: SubscriptionToken

    init(keeping limit: HistoryLimit = .last(1_000)) {
        system = System(
            initialState: "", scheduler: scheduler,
            feedbacks: [
                .onEvent(
                    { (note: Note) -> Work? in
                        if case .effect(let text, let time) = note {
                            Work(text: text, time: time)
                        } else {
                            nil
                        }
                    },
                    effects: { work in Promise.value(Note.add(work.text)).delay(work.time) })
            ],
            configuration: .init(eventPolicy: { event in
                if case .add(let text) = event, text.hasPrefix("~") {
                    return .debounce(.seconds(1), key: "~")
                }
                return .queue
            })
        ) { state, note -> Promise<String> in
            switch note {
            case .add(let text): .value(state + text)
            case .late(let text, let time): Promise.value(state + text).delay(time)
            case .loading(let text, let time):
                Promise.value(state + text).delay(time).stateWhenLoading(state + "…")
            case .fail: Promise(error: NoteError())
            case .effect: .value(state)
            }
        }
        travel = TimeTravel(system, keeping: limit)
        system.addBinding { [bound] in bound.add($0) }
        system.onError { _ in }
        token = system.settled.subscribe { [settled] in settled.add($0) }
        system.onLoop { [records] in records.add($0) }
        scheduler.advance()
        _ = (bound.take(), settled.take())
    }

    func send(_ notes: Note...) {
        for note in notes { system.sendEvent(note) }
        scheduler.advance()
    }

    func perform(_ body: (TimeTravel<String, Note>) throws -> Void) rethrows {
        try body(travel)
        scheduler.advance()
    }
}

struct NoteError: Error {}

private struct Work: Sendable { let text: String, time: Duration }

/// A list of entries in the order in which they were added, from any thread.
final class Entries<Entry: Sendable>: Sendable {
    private let lock = Lock<[Entry]>([])

    var all: [Entry] { lock.withLock { $0 } }
    func add(_ entry: Entry) { lock.withLock { $0.append(entry) } }
    func take() -> [Entry] { lock.exchange(for: []) }
}
