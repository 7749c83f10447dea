import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct ScriptRunTests {
    @Test("PK-31: a script prints every shown state as a line, in order, and the cart stays")
    func script() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(
            "--latency", "0", "--events", "load,add,next,add,previous,remove,wait,refresh")
        let lamp = "Ålesund desk lamp, 129.90 EUR, cart"
        let pot = "鉄瓶 Tetsubin tea pot, 18400 JPY, cart"
        #expect(
            outcome.lines == [
                "start", "loading", "loaded: \(lamp) 0", "loading", "added: \(lamp) 1", "loaded: \(pot) 1",
                "loading", "added: \(pot) 2", "loaded: \(lamp) 2", "loading", "removed: \(lamp) 1", "loading",
                "loaded: \(lamp) 1",
            ])
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
        #expect(try home.names() == ["state"])
    }

    @Test("PK-31: with a seed the failures are the same on each run: start, loading, loaded, loading, error")
    func seededFailure() async throws {
        let arguments = [
            "--latency", "0", "--fail-rate", "0.5", "--seed", "2", "--events", "load,add", "--cart", "cart",
        ]
        let home = try TemporaryFolder()
        let first = try await ToolRun(in: home).run(arguments)
        let error = "bundled catalogue: the shop does not answer; try again"
        #expect(
            first.lines == [
                "start", "loading", "loaded: Ålesund desk lamp, 129.90 EUR, cart 0", "loading",
                "error: \(error)",
            ])
        #expect(first.code == 1)
        #expect(first.errors == "product-page: \(error)\n")
        #expect(try home.names() == [])
        #expect(try await ToolRun(in: home).run(arguments) == first)
    }

    @Test("an error that was recovered from is not the end of it")
    func recovery() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(
            "--latency", "0", "--fail-rate", "0.5", "--seed", "0", "--events", "load,load")
        #expect(
            outcome.lines.map { String($0.prefix(6)) } == ["start", "loadin", "error:", "loadin", "loaded"])
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
    }

    @Test("the cart is kept between two runs, and where --cart says")
    func cart() async throws {
        let home = try TemporaryFolder()
        for _ in 1...2 {
            let outcome = try await ToolRun(in: home).run(
                "--latency", "0", "--cart", "my cart.json", "--events", "load,add")
            #expect(outcome.code == 0)
        }
        let page = try await ToolRun(in: home).run("--latency", "0", "--cart", "my cart.json")
        #expect(page.lines.last == "  Cart: 2 pieces")
        #expect(try CartFile(path: home.file("my cart.json")).load().lines.map(\.quantity) == [2])
        #expect(try home.names() == ["my cart.json"])
        let other = try await ToolRun(in: home).run("--latency", "0")
        #expect(other.lines.last == "  is warm enough for late pages.")
    }

    @Test("without a product an event says what to do")
    func nothingLoaded() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--events", "add")
        let error = "no product is loaded yet; send load first"
        #expect(
            outcome
                == Outcome(code: 1, output: "start\nerror: \(error)\n", errors: "product-page: \(error)\n"))
    }

    @Test("cancel ends what was sent before it, however long that takes")
    func cancelling() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--latency", "600000", "--events", "load,cancel")
        #expect(
            outcome.lines == [
                "start", "loading", "start", "start",
            ])
        #expect(outcome.errors == "")
        #expect(outcome.code == 0)
    }
}
