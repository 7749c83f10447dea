import Foundation
import PromisedSystem
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// The built tool as it watches, its output a pipe.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct WatchRunTests {
    private func page(_ price: Int) -> String {
        #"{"@type":"Product","name":"Lamp","offers":{"price":\#(price),"priceCurrency":"EUR"}}"#
    }

    @Test("it ends with 0 when the price falls, a line for each change, each at once")
    func falling() async throws {
        let home = try TemporaryFolder(["lamp.json": page(120)])
        let (path, cheaper) = (home.file("lamp.json"), page(99))
        let outcome = try await home.talk("watch lamp.json --below 100 --every 1s") { tool in
            #expect(tool.output.readLine()?.hasSuffix("Z  Lamp: 120.00 EUR") == true)
            try? Data(cheaper.utf8).write(to: URL(filePath: path), options: .atomic)
            #expect(tool.output.readLine()?.hasSuffix("Z  Lamp: 99.00 EUR") == true)
            #expect(tool.output.readLine() == nil)
        }
        #expect(outcome == Outcome(0))
        #expect(try home.visibleNames() == ["lamp.json"])
    }

    @Test("an interrupt ends it with 130, and a server that fails does not")
    func interrupted() async throws {
        let (tool, started) = Promise<RunningTool>.pending()
        let (isSecond, second) = Promise<Void>.pending()
        let shop = try LoopbackServer { path in
            guard isSecond.result == nil else {
                // Not answered: with an answer there would be another line, where that comes before the signal.
                tool.done { $0.send(SIGINT) }
                return nil
            }
            second.fulfill(())
            return answer("503 Busy")
        }
        let outcome = try await TemporaryFolder().run([
            "watch", shop.url("/x"), "--every", "1.5s", "--timeout", "3600",
        ]) {
            started.fulfill($0)
        }
        let line = "\(shop.url("/x")): answered 503 Service Unavailable; looking again in 1.5 s"
        #expect(outcome == Outcome(130, errors: "product-page: \(line)\n"))
    }

    @Test("without --every it looks every ten minutes")
    func rarely() async throws {
        let (line, talk) = Promise<String>.pending()
        let console = Console(output: { _ in }, message: { talk.fulfill($0) }, isInteractive: false)
        let watching = Task {
            await Tool(console: console).run(["watch", "--latency", "0", "--fail-rate", "1"])
        }
        let reason = "bundled catalogue: the shop does not answer; try again"
        #expect(try await line.value == "product-page: \(reason); looking again in 600 s")
        watching.cancel()
        _ = await watching.value
    }

    @Test("a source that is not there is an error")
    func missing() async throws {
        let outcome = try await TemporaryFolder().run("watch gone.json")
        #expect(outcome == Outcome(66, errors: "product-page: gone.json: no such file\n"))
    }
}
