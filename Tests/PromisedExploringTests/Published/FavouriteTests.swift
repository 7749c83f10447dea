import PromisedExploring
import PromisedSystem
import Testing

/// A star that is shown at once and saved afterwards; if that fails, the star goes back.
enum Favourite {
    struct State: Hashable, Sendable {
        var isStarred = false
        /// The last value known to be on the server.
        var confirmed = false
        /// The value that is being saved, in the mended machine.
        var saving: Bool?
    }

    enum Event: Hashable, Sendable {
        case tap, saved(Bool), failed(before: Bool)
    }

    struct Offline: Error {}

    /// Planted: a failure brings back what was shown before its tap, which may never have been saved.
    static let planted = Reducer<State, Event> { state, event in
        switch event {
        case .tap: state.isStarred.toggle()
        case .saved: break
        case .failed(let before): state.isStarred = before
        }
    }

    /// Mended: one value is saved at a time, and a failure brings back the last one that was confirmed.
    static let mended = Reducer<State, Event> { state, event in
        switch event {
        case .tap:
            state.isStarred.toggle()
            state.saving = state.saving ?? state.isStarred
        case .saved(let value):
            state.confirmed = value
            state.saving = state.isStarred == value ? nil : state.isStarred
        case .failed:
            state.isStarred = state.confirmed
            state.saving = nil
        }
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.tap]) { world in
            let server = world.variable(false)
            world.atRest("the star is the one on the server") { $0.isStarred == server.value }
            @Sendable func save(_ value: Bool) -> Promise<Event> {
                world.call("save \(value)", .result("done") { server.value = value }, .error(Offline()))
                    .map { .saved(value) }
                    .mapErrorRecover { _ in .failed(before: !value) }
            }
            let saving: Feedback<State, Event> =
                isMended
                ? .latest(state: { $0.saving }, effects: save)
                : .onEvent(
                    withState: { event, state in event == .tap ? state.isStarred : nil }, policy: .queue,
                    effects: save)
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: isMended ? mended : planted,
                feedbacks: [saving])
        }
    }
}

// After the favouriting sample of The Composable Architecture.
@Suite struct FavouriteTests {
    @Test("a failure goes back to a value that was never saved: found in 4 steps")
    func planted() throws {
        let found = try #require(Favourite.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.tap), .send(.tap), .answer("save true", "Offline"),
                .answer("save false", "Offline"),
            ])
    }

    @Test("a failure goes back to the confirmed value: complete")
    func mended() {
        let exploration = Favourite.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
