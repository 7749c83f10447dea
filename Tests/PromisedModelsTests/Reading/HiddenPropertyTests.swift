import Observation
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Properties of a state that are called like a member of its model.
@Suite(.tags(.sharedState)) struct HiddenPropertyTests {
    private struct Player: Model {
        struct State: Equatable { var context = "c", isActive = false, children = 2, send = "s" }
        let context: ModelContext<Player>
        func play() { context.state.isActive = true }
        func rename() { context.state.context = "d" }
    }

    @Test(
        "OS-03: a property that is called like a member of the model is read by its key path, and tracked alone"
    )
    func hidden() {
        let store = Store<Player>(initialState: .init(), scheduler: .immediate)
        let player = store.model
        let fired = Box(0)
        withObservationTracking {
            #expect(
                !player[\.isActive] && player.isActive && player[\.children] == 2 && player[\.send] == "s")
        } onChange: {
            fired.change { $0 += 1 }
        }
        player.rename()
        #expect(fired.value == 0 && player[\.context] == "d")
        player.play()
        #expect(fired.value == 1 && player[\.isActive] && player.context.isActive)
    }
}
