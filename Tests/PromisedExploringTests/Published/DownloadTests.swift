import PromisedExploring
import PromisedSystem
import Testing

/// A file that is downloaded in pieces, and can be paused.
enum Download {
    struct State: Hashable, Sendable {
        var isRunning = false
        var pieces: [Int] = []

        var nextPiece: Int? { isRunning && pieces.count < 3 ? pieces.count + 1 : nil }
    }

    enum Event: Hashable, Sendable {
        case toggle, received(Int), failed
    }

    struct Offline: Error {}

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .toggle: state.isRunning.toggle()
        case .received(let piece): state.pieces.append(piece)
        case .failed: state.isRunning = false
        }
    }

    /// Planted: resuming asks for the next piece again, although the first request is still in flight. Mended: pausing
    /// cancels it.
    static func downloading(
        isMended: Bool, _ fetch: @escaping @Sendable (Int) -> Promise<Event>
    ) -> Feedback<State, Event> {
        isMended
            ? .latest(state: { $0.nextPiece }, effects: fetch)
            : .onEvent(withState: { _, state in state.nextPiece }, effects: fetch)
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.toggle]) { world in
            world.always("the file has each piece once, in order") { state in
                state.pieces == state.pieces.indices.map { $0 + 1 }
            }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [
                    downloading(isMended: isMended) { piece in
                        world.call(
                            "fetch \(piece)", .value(Event.received(piece), named: "piece"), .error(Offline())
                        )
                        .mapErrorRecover { _ in .failed }
                    }
                ])
        }
    }
}

// After the download component of The Composable Architecture.
@Suite struct DownloadTests {
    @Test("a piece is received twice after pause and resume: found in 5 steps")
    func planted() throws {
        let found = try #require(Download.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.toggle), .send(.toggle), .send(.toggle), .answer("fetch 1", "piece"),
                .answer("fetch 1 2", "piece"),
            ])
    }

    @Test("pausing cancels the request: complete")
    func mended() {
        let exploration = Download.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
