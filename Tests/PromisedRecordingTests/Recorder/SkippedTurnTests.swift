import PromisedModels
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// What happens while nothing is recorded: it counts as many turns as it would have.
@Suite(.tags(.sharedState)) struct SkippedTurnTests {
    private struct Negative: Error {}

    private struct Tally: Model {
        struct State: Codable, Hashable { var count = 0 }

        let context: ModelContext<Tally>
        var state: ModelState<Self> { context.state }

        func add(_ event: Int) { state.count += event }
    }

    private let scheduler = TestScheduler()

    /// Sends an event to a system, of which 100 takes a second, 7 is stopped by middleware, and 5 replaces others.
    private func counter(_ session: RecordedSession) -> @Sendable (Int) -> Void {
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            middleware: Middleware { event, _ in event == 7 ? .stop : .pass },
            configuration: .init(
                eventPolicy: { $0 == 5 ? .replace : $0 == 9 ? .dropWhileBusy : .queue }
            ).recorded(by: session.recorder, as: "counter")
        ) { state, event in
            switch event {
            case ..<0: Promise(error: Negative())
            case 100: Promise.value(state + event).delay(.seconds(1)).interim(-1)
            default: .value(state + event)
            }
        }
        system.onError { _ in }
        return { system.sendEvent($0) }
    }

    private func store(_ session: RecordedSession) -> @Sendable (Int) -> Void {
        let store = Store<Tally>(initialState: .init(), scheduler: scheduler)
        session.recorder.record(store, as: "tally")
        scheduler.advance()
        return { store.model.add($0) }
    }

    enum Kind: String, CaseIterable {
        case synchronous = "1 2", failing = "-1 1", inFlight = "100 1", replaced = "100 5", dropped = "100 9"
        case stopped = "7 1", stoppedLate = "100 7"
        case writes = "1 2 3"
    }

    private func turns(_ kind: Kind, isPaused: Bool) async throws -> Int {
        let session = try RecordedSession()
        let send = kind == .writes ? store(session) : counter(session)
        func perform(_ event: Int) {
            scheduler.schedule { send(event) }
            scheduler.advance()
        }
        perform(1)
        if isPaused { session.recorder.pause() }
        for event in kind.rawValue.split(separator: " ").compactMap({ Int($0) }) { perform(event) }
        scheduler.advance(by: .seconds(3))
        if isPaused { session.recorder.resume() }
        perform(1)
        return try await session.recording().turns.upperBound
    }

    @Test("A pause skips as many turns as there were, whatever their kind", arguments: Kind.allCases)
    func pause(kind: Kind) async throws {
        let turns = (try await turns(kind, isPaused: false), try await turns(kind, isPaused: true))
        #expect(turns.0 == turns.1 && turns.0 > 2)
    }
}
