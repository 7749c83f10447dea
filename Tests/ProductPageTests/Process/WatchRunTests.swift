import Foundation
import PromisedSystem
import Testing

@testable import ProductPage

/// The built tool as it watches, its output a pipe.
@Suite(.timeLimit(.minutes(10))) struct WatchRunTests {
    private func page(_ price: Int) -> String {
        #"{"@type":"Product","name":"Lamp","offers":{"price":\#(price),"priceCurrency":"EUR"}}"#
    }

    @Test("it ends with 0 when the price falls, a line for each change, each at once")
    func falling() async throws {
        let home = try TemporaryFolder()
        try home.write(page(120), to: "lamp.json")
        let (output, path) = (Channel(), home.file("lamp.json"))
        let cheaper = page(99)
        let outcome = try await ToolRun(in: home).run(
            ["watch", "lamp.json", "--below", "100", "--every", "1s"], output: output.writing
        ) { _ in
            output.closeWriting()
            Thread.detachNewThread {
                #expect(output.readLine()?.hasSuffix("Z  Lamp: 120.00 EUR") == true)
                try? Data(cheaper.utf8).write(to: URL(filePath: path), options: .atomic)
                #expect(output.readLine()?.hasSuffix("Z  Lamp: 99.00 EUR") == true)
                #expect(output.readLine() == nil)
                output.closeReading()
            }
        }
        #expect(outcome == Outcome(code: 0, output: "", errors: ""))
        #expect(try home.visibleNames() == ["lamp.json"])
    }

    @Test("an interrupt ends it with 130, and a server that fails does not")
    func interrupted() async throws {
        let home = try TemporaryFolder()
        let (tool, started) = Promise<RunningTool>.pending()
        let (isSecond, second) = Promise<Void>.pending()
        let shop = try LoopbackServer { path in
            if isSecond.result != nil { tool.done { $0.send(SIGINT) } }
            second.fulfill(())
            return answer("503 Busy")
        }
        let outcome = try await ToolRun(in: home).run(["watch", shop.url("/x"), "--every", "1s"]) {
            started.fulfill($0)
        }
        let line = "product-page: \(shop.url("/x")): answered 503 Service Unavailable; looking again in 1 s\n"
        #expect(outcome == Outcome(code: 130, output: "", errors: line))
    }

    @Test("without --every it looks every ten minutes")
    func rarely() async throws {
        let (line, talk) = Promise<String>.pending()
        let tool = Tool(console: Console(data: { _ in }, talk: { talk.fulfill($0) }, isWatched: false))
        let watching = Task { await tool.run(["watch", "--latency", "0", "--fail-rate", "1"]) }
        let reason = "bundled catalogue: the shop does not answer; try again"
        #expect(try await line.value == "product-page: \(reason); looking again in 600 s")
        watching.cancel()
        _ = await watching.value
    }

    @Test("a source that is not there is an error")
    func missing() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("watch", "gone.json")
        #expect(outcome == Outcome(code: 66, output: "", errors: "product-page: gone.json: no such file\n"))
    }
}
