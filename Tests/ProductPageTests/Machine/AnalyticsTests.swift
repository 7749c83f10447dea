import Foundation
import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage

@Suite struct AnalyticsTests {
    /// What is tracked of a page, each line with its time.
    private func tracked(
        _ shop: FakeShop, _ play: (PageStage) -> Void
    ) -> [String] {
        let lines = Mutex<[String]>([])
        let stage = PageStage(shop.effects)
        let token = stage.page.onLoop { record in
            let time = Date(timeIntervalSince1970: Double(stage.scheduler.now.components.seconds))
            if let tracked = AnalyticsEvent(record, at: time) {
                lines.withLock { $0.append(tracked.jsonLine) }
            }
        }
        play(stage)
        withExtendedLifetime(token) {}
        return lines.withLock { $0 }
    }

    @Test("PK-30: one callback tracks the script load, error, load, with the time")
    func script() {
        let lines = tracked(FakeShop(latency: .seconds(1), failing: [1])) { $0.play(.load, .add, .load) }
        #expect(
            lines == [
                #"{"error":"shop: out of order","event":"page_error","time":"1970-01-01T00:00:01Z"}"#,
                #"{"error":"no product is loaded yet; send load first","event":"page_error","#
                    + #""time":"1970-01-01T00:00:01Z"}"#,
                #"{"event":"product_loaded","product":"A","time":"1970-01-01T00:00:02Z"}"#,
            ])
    }

    @Test("PK-30: every action is tracked under its own name, once, and only if it has happened")
    func actions() {
        let lines = tracked(FakeShop(cart: [.c])) { stage in
            stage.play(.load)
            stage.play(
                .refresh, .next, .previous, .add, .remove, .remove, .addLine(.oneC), .removeLine(.oneB))
            stage.play(.cancel)
        }
        let names = lines.map {
            $0.split(separator: #"""#).filter { $0.contains("_") || ["A", "B", "C"].contains($0) }
        }
        #expect(
            names.map { $0.joined(separator: " ") } == [
                "product_loaded A", "product_refreshed A", "product_shown B", "product_shown A",
                "added_to_cart A", "removed_from_cart A", "added_to_cart C",
            ])
    }

    @Test("PK-30: a load that is cancelled is tracked as that, and a cancelled change not at all")
    func cancelled() {
        let lines = tracked(FakeShop(latency: .seconds(1))) { stage in
            stage.play(.load)
            for event in [ProductPage.Event.load, .refresh, .add] {
                stage.send(event)
                stage.scheduler.advance()
                stage.play(.cancel)
            }
        }
        #expect(
            lines.dropFirst() == [
                #"{"event":"load_cancelled","product":"A","time":"1970-01-01T00:00:01Z"}"#,
                #"{"event":"load_cancelled","product":"A","time":"1970-01-01T00:00:01Z"}"#,
            ])
    }

    @Test("PK-30: what was added is not tracked again when the next change is cancelled")
    func cancelledAfterAChange() {
        let lines = tracked(FakeShop(latency: .seconds(1))) { stage in
            stage.play(.load, .add)
            stage.send(.add)
            stage.scheduler.advance()
            stage.play(.cancel)
        }
        #expect(
            lines.dropFirst() == [
                #"{"event":"added_to_cart","product":"A","time":"1970-01-01T00:00:02Z"}"#
            ])
    }
}
