import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct CartFileTests {
    @Test("the cart is kept in the user's state directory")
    func defaultPlace() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--latency", "0", "--events", "load,add")
        #expect(outcome.code == 0)
        #if !canImport(Darwin)
            let unset = try await ToolRun(in: home, environment: ["XDG_STATE_HOME": ""]).run(
                "--latency", "0", "--events", "load,add")
            #expect(unset.lines.last?.hasSuffix("cart 1") == true)
            #expect(try home.read(".local/state/product-page/cart.json") == home.read(cart))
        #endif
        #expect(try home.read(cart).contains(#""id":"LMP-1""#))
    }

    @Test("a cart of a newer version, or that is no file, is an error, and stays as it is")
    func unreadable() async throws {
        let reason =
            "was written by a newer version (format 9, this program knows 2); "
            + "update the program or use another --cart"
        let home = try TemporaryFolder()
        try home.write(#"{"version":9}"#, to: "c.json")
        let page = try await ToolRun(in: home).run("--latency", "0", "--cart", "c.json")
        #expect(page == Outcome(code: 1, output: "", errors: "product-page: cart c.json: \(reason)\n"))
        let script = try await ToolRun(in: home).run(
            "--latency", "0", "--cart", "c.json", "--events", "load,add")
        #expect(script.lines.first { $0.hasPrefix("error") } == "error: cart c.json: \(reason)")
        #expect(script.code == 1)
        #expect(try home.read("c.json") == #"{"version":9}"#)
        #expect(try home.visibleNames() == ["c.json"])
        try await expectFailure(
            "--cart", ".", code: 1, saying: "cart .: cannot be read: is a directory")
    }

    @Test("a damaged cart is set aside with one line, and the page goes on with an empty one")
    func damaged() async throws {
        let home = try TemporaryFolder()
        try home.write("{", to: "c.json")
        let first = try await ToolRun(in: home).run(
            "--latency", "0", "--cart", "c.json", "--events", "load,add")
        #expect(first.code == 0)
        #expect(first.lines.last?.hasSuffix("cart 1") == true)
        #expect(first.errors.hasPrefix("product-page: cart c.json: was damaged; it is kept as "))
        #expect(first.errors.hasSuffix("/c.json.damaged-1, and the cart is empty now\n"))
        #expect(first.errors.split(separator: "\n").count == 1)
        #expect(try home.read("c.json.damaged-1") == "{")
        let second = try await ToolRun(in: home).run(
            "--latency", "0", "--cart", "c.json", "--events", "load,add")
        #expect(second.lines.last?.hasSuffix("cart 2") == true)
        #expect(second.errors == "")
    }

    #if os(Linux)
        @Test("a cart that cannot be saved is an error of the page, and the product stays in view")
        func unwritable() async throws {
            let home = try TemporaryFolder()
            let outcome = try await ToolRun(in: home).run(
                "--latency", "0", "--cart", "/proc/self/cart.json", "--events", "load,add,next")
            #expect(
                outcome.lines.map { String($0.prefix(29)) } == [
                    "start", "loading", "loaded: Ålesund desk lamp, 12", "loading",
                    "error: cart /proc/self/cart.j", "loaded: 鉄瓶 Tetsubin tea pot, ",
                ])
            #expect(outcome.code == 0)
            #expect(outcome.errors == "")
        }
    #endif

    private let cart = "state/product-page/cart.json"
}
