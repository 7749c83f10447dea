import Synchronization
import Testing

@testable import ProductPage

/// The tool without its process: what it writes and says.
@Suite struct TalkTests {
    @Test("a terminal shows that it loads; a log does not", arguments: [true, false])
    func loading(isWatched: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"@type":"Product","name":"Lamp"}"#, to: "a.json")
        let (path, cart) = (folder.file("a.json"), folder.file("cart.json"))
        let screen = Said()
        let tool = Tool(console: screen.console(isWatched: isWatched))
        #expect(await tool.run([path, "--cart", cart]) == 0)
        #expect(screen.lines == (isWatched ? ["Loading \(path)…"] : []))
        #expect(screen.data == ["Lamp", "  Price:        no price given", "  Id:           Lamp"])
    }

    @Test("below the page stands how many pieces are in the cart, if any")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"@type":"Product","name":"Lamp"}"#, to: "a.json")
        let arguments = [folder.file("a.json"), "--cart", folder.file("cart.json")]
        for expected in ["  Id:           Lamp", "\n  Cart: 1 piece", "\n  Cart: 2 pieces"] {
            let screen = Said()
            let tool = Tool(console: screen.console(isWatched: false))
            #expect(await tool.run(arguments) == 0)
            #expect(screen.data.last == expected)
            #expect(await tool.run(arguments + ["--events", "load,add"]) == 0)
        }
    }

    @Test("--quiet leaves errors and nothing else; --plain is the states, then the page")
    func quiet() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"@type":"Product","name":"Lamp"}"#, to: "a.json")
        let (path, cart) = (folder.file("a.json"), folder.file("cart.json"))
        let screen = Said()
        let tool = Tool(console: screen.console(isWatched: true))
        let page = ["Lamp", "  Price:        no price given", "  Id:           Lamp"]
        #expect(await tool.run([path, "--cart", cart, "--quiet"]) == 0)
        #expect(screen.data == page)
        #expect(screen.lines == [])
        #expect(await tool.run([path, "--cart", cart, "--plain"]) == 0)
        #expect(
            screen.data == page + ["start", "loading", "loaded: Lamp, no price given, cart 0"] + page)
        #expect(screen.lines == [])
        #expect(await tool.run([folder.file("b.json"), "--quiet"]) == 66)
        #expect(screen.lines == ["product-page: \(folder.file("b.json")): no such file"])
    }

    @Test(
        "a script, an error and wrong usage are said in one line, watched or not", arguments: [true, false])
    func failing(isWatched: Bool) async throws {
        let folder = try TemporaryFolder()
        let (path, cart) = (folder.file("gone.json"), folder.file("cart.json"))
        let screen = Said()
        let tool = Tool(console: screen.console(isWatched: isWatched))
        #expect(await tool.run([path, "--cart", cart, "--events", "load"]) == 66)
        #expect(await tool.run(["--lst"]) == 64)
        #expect(
            screen.lines == [
                "product-page: \(path): no such file",
                "product-page: unknown option '--lst'; did you mean --list?",
            ])
        #expect(screen.data == ["start", "loading", "error: \(path): no such file"])
    }

    @Test("standard input is asked for lines only by --events -")
    func standardInput() async throws {
        let folder = try TemporaryFolder()
        let cart = folder.file("cart.json")
        let screen = Said()
        let lines = Mutex(["load", "wait,add"])
        var tool = Tool(console: screen.console(isWatched: false))
        tool.readLine = {
            Issue.record("standard input was read")
            return nil
        }
        #expect(await tool.run(["--latency", "0", "--cart", cart]) == 0)
        #expect(await tool.run(["--latency", "0", "--cart", cart, "--events", "load"]) == 0)
        tool.readLine = { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        #expect(await tool.run(["--latency", "0", "--cart", cart, "--events", "-"]) == 0)
        #expect(screen.data.last == "added: Ålesund desk lamp, 129.90 EUR, cart 1")
        #expect(screen.lines == [])
    }
}
