import Foundation
import PromisedSystem
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

/// Signals in the middle of a load: sent when the server has the request, which then never ends by itself.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct InterruptionTests {
    private func run(
        in home: borrowing TemporaryFolder, _ signal: Int32, _ options: String = "",
        after preparation: String? = nil,
        answer: String? = nil
    ) async throws -> (Outcome, LoopbackServer) {
        let (tool, started) = Promise<RunningTool>.pending()
        let shop = try LoopbackServer { _ in
            tool.done { $0.send(signal) }
            return answer
        }
        let arguments = "\(shop.url("/x")) --timeout 3600 \(options)".split(separator: " ").map(String.init)
        let outcome = try await home.run(arguments, after: preparation) { started.fulfill($0) }
        return (outcome, shop)
    }

    @Test(
        "it ends at once with its code, and the cart is as it was",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signals(signal: Int32, code: Int32) async throws {
        let home = try TemporaryFolder()
        _ = try CartFile(path: home.file("cart.json")).change { $0 = Cart(lines: [.oneB]) }
        let before = try home.read("cart.json")
        let (outcome, _) = try await run(in: home, signal, "--cart cart.json --events load,add")
        #expect(outcome == Outcome(code, "start\nloading\n"))
        #expect(try home.read("cart.json") == before)
        #expect(try home.visibleNames() == ["cart.json"])
    }

    @Test("killed in the middle of a load it leaves no process that goes on loading")
    func killed() async throws {
        let (outcome, shop) = try await run(in: TemporaryFolder(), SIGKILL)
        #expect(outcome == Outcome(137))
        try await shop.left.promise.value
    }

    @Test("an interrupt that the process was started to ignore stays ignored")
    func ignored() async throws {
        let page = answer("200 OK", body: #"{"@type":"Product","name":"Lamp"}"#)
        let (outcome, _) = try await run(
            in: TemporaryFolder(), SIGINT, "--events load", after: "trap '' INT", answer: page)
        #expect(outcome == Outcome(0, "start\nloading\nloaded: Lamp, no price given, cart 0\n"))
    }
}
