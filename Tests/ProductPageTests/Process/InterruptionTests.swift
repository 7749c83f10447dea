import Foundation
import PromisedSystem
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct InterruptionTests {
    @Test(
        "a signal in the middle of a load ends at once with its code, and the cart is as it was",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signals(signal: Int32, code: Int32) async throws {
        let home = try TemporaryFolder()
        _ = try CartFile(path: home.file("cart.json")).change { $0 = Cart(lines: [.oneB]) }
        let before = try home.read("cart.json")
        // Sent when the server has the request: the load is under way then, and never ends by itself.
        let (tool, started) = Promise<RunningTool>.pending()
        let shop = try LoopbackServer { _ in
            tool.done { $0.send(signal) }
            return nil
        }
        let outcome = try await ToolRun(in: home).run(
            [shop.url("/x"), "--cart", "cart.json", "--events", "load,add"]
        ) { started.fulfill($0) }
        #expect(outcome == Outcome(code: code, output: "start\nloading\n", errors: ""))
        #expect(try home.read("cart.json") == before)
        #expect(try home.visibleNames() == ["cart.json"])
    }

    @Test("killed in the middle of a load it leaves no process that goes on loading", .timeLimit(.minutes(1)))
    func killed() async throws {
        let home = try TemporaryFolder()
        let (tool, started) = Promise<RunningTool>.pending()
        let shop = try LoopbackServer { _ in
            tool.done { $0.send(SIGKILL) }
            return nil
        }
        let outcome = try await ToolRun(in: home).run([shop.url("/x")]) { started.fulfill($0) }
        #expect(outcome == Outcome(code: 137, output: "", errors: ""))
        try await shop.left.promise.value
    }

    @Test("an interrupt that the process was started to ignore stays ignored")
    func ignored() async throws {
        let home = try TemporaryFolder()
        let (tool, started) = Promise<RunningTool>.pending()
        let shop = try LoopbackServer { _ in
            tool.done { $0.send(SIGINT) }
            return answer("200 OK", body: #"{"@type":"Product","name":"Lamp"}"#)
        }
        let outcome = try await ToolRun(in: home, after: "trap '' INT").run(
            [shop.url("/x"), "--events", "load"]
        ) { started.fulfill($0) }
        #expect(outcome.code == 0)
        #expect(outcome.lines == ["start", "loading", "loaded: Lamp, no price given, cart 0"])
    }
}
