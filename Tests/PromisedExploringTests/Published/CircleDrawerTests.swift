import PromisedExploring
import PromisedSystem
import Testing

/// A drawing with undo and redo that can be saved.
enum CircleDrawer {
    struct State: Hashable, Sendable {
        var circles = 0
        var undone = 0
        /// Whether closing the drawing would lose something.
        var isEdited = false
        /// What is being written.
        var saving: Int?
    }

    enum Event: Hashable, Sendable {
        case add, undo, redo, save, saved(Int), failed
    }

    struct Full: Error {}

    static func reducer(isMended: Bool) -> Reducer<State, Event> {
        Reducer { state, event in
            switch event {
            case .add where state.circles < 3:
                (state.circles, state.undone, state.isEdited) = (state.circles + 1, 0, true)
            case .undo where state.circles > 0:
                (state.circles, state.undone, state.isEdited) = (state.circles - 1, state.undone + 1, true)
            case .redo where state.undone > 0:
                (state.circles, state.undone, state.isEdited) = (state.circles + 1, state.undone - 1, true)
            case .save where state.isEdited: state.saving = state.saving ?? state.circles
            case .saved(let circles):
                // Planted: what was changed during the save counts as saved.
                state.isEdited = isMended && state.circles != circles
                state.saving = nil
            case .failed: state.saving = nil
            default: break
            }
        }
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.undo, .redo, .add, .save]) { world in
            let disk = world.variable(0)
            world.always("what counts as saved is on the disk") { $0.isEdited || $0.circles == disk.value }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer(isMended: isMended),
                feedbacks: [
                    .latest(state: { $0.saving }) { circles in
                        world.call("write", .result("done") { disk.value = circles }, .error(Full()))
                            .map { .saved(circles) }
                            .mapErrorRecover { _ in .failed }
                    }
                ])
        }
    }
}

// After the circle drawer of the seven GUIs.
@Suite struct CircleDrawerTests {
    @Test("an undo during a save counts as saved: found in 4 steps")
    func planted() throws {
        let found = try #require(CircleDrawer.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.add), .send(.save), .send(.undo), .answer("write", "done"),
            ])
    }

    @Test("only what was written counts as saved: complete")
    func mended() {
        let exploration = CircleDrawer.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
