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
        #expect(try home.read(cart).contains(#""id" : "LMP-1""#))
    }

    @Test("a cart that is damaged, newer, or no file is an error, and stays as it is")
    func unreadable() async throws {
        let newer =
            "was written by a newer version (format 9, this program knows 1); "
            + "update the program or use another --cart"
        for (content, reason) in [
            ("{", "is damaged; move it away to begin with an empty cart"), (#"{"version":9}"#, newer),
        ] {
            let home = try TemporaryFolder()
            try home.write(content, to: "c.json")
            let page = try await ToolRun(in: home).run("--latency", "0", "--cart", "c.json")
            #expect(
                page == Outcome(code: 1, output: "", errors: "product-page: cart c.json: \(reason)\n"))
            let script = try await ToolRun(in: home).run(
                "--latency", "0", "--cart", "c.json", "--events", "load,add")
            #expect(script.lines.first { $0.hasPrefix("error") } == "error: cart c.json: \(reason)")
            #expect(script.code == 1)
            #expect(try home.read("c.json") == content)
            #expect(try home.names() == ["c.json"])
        }
        try await expectFailure(
            "--cart", ".", code: 1, saying: "cart .: cannot be read: is a directory")
    }

    @Test("of a missing file and a damaged cart only one is told")
    func both() async throws {
        let home = try TemporaryFolder()
        try home.write("{", to: "c.json")
        let outcome = try await ToolRun(in: home).run("gone.json", "--cart", "c.json")
        #expect(outcome.output == "")
        #expect(outcome.errors.split(separator: "\n").count == 1)
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
