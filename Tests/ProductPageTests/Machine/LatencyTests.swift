import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// The real effects without a source, in virtual time: only the cart is on the disk.
@Suite struct LatencyTests {
    private func stage(_ folder: borrowing TemporaryFolder, _ change: (inout Options) -> Void = { _ in })
        -> PageStage
    {
        var options = Options(latency: .milliseconds(800), seed: 1)
        options.cart = folder.file("cart.json")
        change(&options)
        return PageStage(.live(options, disk: .immediate))
    }

    @Test("the bundled catalogue takes its latency to the millisecond")
    func latency() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder)
        stage.send(.load)
        stage.scheduler.advance(by: .milliseconds(799))
        #expect(stage.shown == ["start", "loading"])
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(stage.shown == ["start", "loading", "loaded LMP-1 0"])
    }

    @Test("PK-31: a change of the cart takes it as well, and is kept only then")
    func latencyOfChanges() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder)
        stage.send(.load, .add)
        stage.scheduler.advance(by: .milliseconds(1599))
        #expect(try folder.names() == [])
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(stage.shown == ["start", "loading", "loaded LMP-1 0", "loading LMP-1 0", "added LMP-1 1"])
        #expect(try folder.names() == ["cart.json"])
        #expect(stage.times.last == .milliseconds(1600))
    }

    @Test("a failure takes as long as an answer, and keeps the cart as it was")
    func latencyOfFailures() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder) { $0.failRate = 1 }
        stage.play(.load, .refresh)
        #expect(stage.shown == ["start", "loading", "failed", "loading", "failed"])
        #expect(stage.times.suffix(3) == [.milliseconds(800), .milliseconds(800), .milliseconds(1600)])
        #expect(try folder.names() == [])
    }

    @Test("the same seed gives the same failures, another gives others")
    func seeds() throws {
        let folder = try TemporaryFolder()
        func outcomes(_ seed: UInt64) -> [String] {
            let stage = stage(folder) { ($0.failRate, $0.seed) = (0.5, seed) }
            stage.play(.load, .load, .load, .load, .load, .load, .load, .load)
            return stage.shown.filter { $0.hasPrefix("loaded") || $0.hasPrefix("failed") }
        }
        #expect(outcomes(2) == outcomes(2))
        #expect(outcomes(2) != outcomes(4))
    }

    @Test("--product chooses what is shown first, and next goes on from there")
    func product() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder) { $0.product = "oud" }
        stage.play(.load, .next, .next, .refresh)
        #expect(
            stage.shown.filter { $0.hasPrefix("loaded") } == [
                "loaded OUD-6 0", "loaded BLK-9 0", "loaded LMP-1 0", "loaded LMP-1 0",
            ])
    }
}
