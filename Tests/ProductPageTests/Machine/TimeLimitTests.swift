import Foundation
import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage

/// `--timeout`, in virtual time: it is for the whole load, wherever the products come from.
@Suite struct TimeLimitTests {
    /// A loader that never comes to an end, and knows when it was told to stop.
    private final class Endless: Sendable {
        private let stops = Mutex(0)
        var stopped: Int { stops.withLock { $0 } }

        var loader: SourceLoader {
            SourceLoader(
                file: { _ in try await self.wait() }, web: { _, _ in try await self.wait() }, memory: .none)
        }

        private func wait<Value: Sendable>() async throws -> Value {
            let (never, resolver) = Promise<Value>.pending()
            defer { withExtendedLifetime(resolver) { stops.withLock { $0 += 1 } } }
            return try await never.value
        }
    }

    private func stage(
        _ source: String, _ loader: SourceLoader, timeout: Duration, in folder: borrowing TemporaryFolder
    ) throws -> PageStage {
        var options = Options(source: try SourceLocation(source), timeout: timeout)
        options.cart = folder.file("cart.json")
        return PageStage(.live(options, loader: loader, disk: .immediate))
    }

    @Test(
        "a source that does not answer is given up to the millisecond, and told to stop",
        arguments: ["http://127.0.0.1/x", "pipe"])
    func endless(source: String) throws {
        let folder = try TemporaryFolder()
        let endless = Endless()
        let stage = try stage(source, endless.loader, timeout: .milliseconds(2500), in: folder)
        stage.send(.load)
        stage.scheduler.advance(by: .milliseconds(2499))
        #expect(stage.lines == ["start", "loading"])
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(stage.lines == ["start", "loading", "error: \(source): no answer within 2.5 s"])
        stage.scheduler.run()
        #expect(endless.stopped == 1)
        #expect(
            stage.page.state == .failed(.unavailable(source: source, reason: "no answer within 2.5 s"), nil))
    }

    @Test("the wait is said to be long before it is given up, and each load has the whole time")
    func slow() throws {
        let folder = try TemporaryFolder()
        let stage = try stage("pipe", Endless().loader, timeout: .seconds(30), in: folder)
        stage.play(.load, .refresh)
        #expect(stage.shown == ["start", "loading", "slow", "failed", "loading", "slow", "failed"])
        #expect(
            stage.times == [0, 0, 5, 30, 30, 35, 60].map { .seconds($0) })
    }

    @Test("cancelling tells the source to stop at once")
    func cancelling() throws {
        let folder = try TemporaryFolder()
        let endless = Endless()
        let stage = try stage("pipe", endless.loader, timeout: .seconds(30), in: folder)
        stage.send(.load)
        stage.scheduler.advance(by: .seconds(1))
        stage.send(.cancel)
        stage.scheduler.advance()
        #expect(endless.stopped == 1)
        #expect(stage.shown.last == "failed")
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("the bundled catalogue keeps to the limit as well")
    func bundled() throws {
        let folder = try TemporaryFolder()
        var options = Options(latency: .seconds(40), timeout: .seconds(30))
        options.cart = folder.file("cart.json")
        let stage = PageStage(.live(options, disk: .immediate))
        stage.play(.load)
        #expect(stage.lines.last == "error: bundled catalogue: no answer within 30 s")
        #expect(stage.scheduler.now == .seconds(30))
    }
}
