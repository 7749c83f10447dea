import PromisedSystem
import Synchronization
import Testing

@testable import ProductPage

@Suite struct AnalyticsTests {
    private final class Tracker: Sendable {
        private let lines = Mutex<[String]>([])
        var tracked: [String] { lines.withLock { $0 } }
        func track(_ state: ProductPage.State) {
            lines.withLock { $0.append(Tracked(state).json.description) }
        }
    }

    @Test("PK-30: one callback tracks the script load, error, load, first entry included")
    func script() {
        let stage = PageStage(FakeShop(failing: [1]).effects)
        let tracker = Tracker()
        stage.page.addLoopCallback(replayCurrent: true) { tracker.track($0) }
        stage.play(.load, .add, .load)
        #expect(
            tracker.tracked == [
                #"{"event":"page_shown"}"#,
                #"{"event":"page_loading"}"#,
                #"{"error":"shop: out of order","event":"page_error"}"#,
                #"{"error":"no product is loaded yet; send load first","event":"page_error"}"#,
                #"{"event":"page_loading"}"#,
                #"{"event":"product_loaded","product":"A"}"#,
            ])
    }

    @Test("PK-30: every kind of state is tracked under its own name", arguments: Pair.states)
    func kinds(state: ProductPage.State) {
        let expected =
            switch state {
            case .start: "page_shown"
            case .loading(_, .asked): "page_loading"
            case .loading(_, .slow): "page_slow"
            case .loaded: "product_loaded"
            case .added: "added_to_cart"
            case .removed: "removed_from_cart"
            case .failed: "page_error"
            }
        #expect(Tracked(state).event.rawValue == expected)
    }

    @Test("PK-30: tracking sees what was shown and in that order, whoever else watches")
    func besideOthers() {
        let stage = PageStage(FakeShop().effects)
        let (first, second) = (Tracker(), Tracker())
        stage.page.addLoopCallback(replayCurrent: true) { first.track($0) }
        stage.page.addLoopCallback(replayCurrent: true) { second.track($0) }
        stage.play(.load, .add, .remove)
        #expect(first.tracked == second.tracked)
        #expect(first.tracked.count == stage.shown.count)
    }
}
