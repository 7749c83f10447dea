import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct CartRunTests {
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
            "was written by a newer version (format 9, this program knows 3); "
            + "update the program or use another --cart"
        let home = try TemporaryFolder()
        try home.write(#"{"version":9}"#, to: "c.json")
        let page = try await ToolRun(in: home).run("--latency", "0", "--cart", "c.json")
        #expect(page.lines.first == "Ålesund desk lamp")
        #expect(page.errors == "product-page: cart c.json: \(reason)\n")
        #expect(page.code == 1)
        for list in [["--list"], ["--list", "--json"]] {
            let list = try await ToolRun(in: home).run(["--latency", "0", "--cart", "c.json"] + list)
            #expect(list.lines.count == 9)
            #expect(list.errors == "")
            #expect(list.code == 0)
        }
        let script = try await ToolRun(in: home).run(
            "--latency", "0", "--cart", "c.json", "--events", "load,add")
        let error = "error: cart c.json: \(reason)"
        #expect(script.lines == ["start", "loading", error, "loading", error])
        #expect(script.errors == page.errors)
        #expect(script.code == 1)
        #expect(try home.read("c.json") == #"{"version":9}"#)
        #expect(try home.visibleNames() == ["c.json"])
        let folder = try await ToolRun(in: home).run("--latency", "0", "--cart", ".")
        #expect(folder.lines.first == "Ålesund desk lamp")
        #expect(folder.errors == "product-page: cart .: cannot be read: is a directory\n")
        #expect(folder.code == 1)
    }

    @Test("a pipe or a device is no cart, and is not waited for")
    func special() async throws {
        let home = try TemporaryFolder()
        #expect(mkfifo(home.file("pipe"), 0o600) == 0)
        var device = "/dev/null"
        #if os(Linux)
            // Not the null device: if the program did save there, then as root it would put a file in its place.
            // Among the terminals there can be none.
            let terminal = PseudoDevice.isPossible ? try PseudoDevice(columns: 80, rows: 24) : nil
            defer { terminal?.close() }
            if let terminal { device = terminal.path }
        #endif
        for path in ["pipe", device] {
            let outcome = try await ToolRun(in: home).run(
                "--latency", "0", "--cart", path, "--events", "load,add")
            let line = "cart \(path): cannot be read: is no regular file"
            #expect(outcome.errors == "product-page: \(line)\n")
            #expect(outcome.code == 1)
        }
        #expect(try home.visibleNames() == ["pipe"])
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

    @Test("two sources with one product id are two lines, and what is taken out is of the source in view")
    func sources() async throws {
        let home = try TemporaryFolder()
        for (name, price) in [("Desk", 100), ("Cable", 5)] {
            try home.write(
                #"{"@type":"Product","sku":"7","name":"\#(name)","offers":{"price":\#(price),"priceCurrency":"EUR"}}"#,
                to: "\(name).json")
            let outcome = try await ToolRun(in: home).run("\(name).json", "--events", "load,add,add")
            #expect(outcome.code == 0)
        }
        let removed = try await ToolRun(in: home).run("./Desk.json", "--events", "load,remove,remove,remove")
        #expect(
            removed.lines.filter { $0 != "loading" } == [
                "start", "loaded: Desk, 100.00 EUR, cart 4", "removed: Desk, 100.00 EUR, cart 3",
                "removed: Desk, 100.00 EUR, cart 2", "nothing to remove: Desk is not in the cart",
            ])
        #expect(try CartFile(path: home.file(cart)).load().lines.map(\.name) == ["Cable"])
    }

    @Test("a line keeps the price that it was added at")
    func oldPrice() async throws {
        let home = try TemporaryFolder()
        for price in ["129.9", "119.9"] {
            try home.write(
                #"{"@type":"Product","name":"Desk","offers":{"price":\#(price),"priceCurrency":"EUR"}}"#,
                to: "a.json")
            _ = try await ToolRun(in: home).run("a.json", "--events", "load,add")
        }
        let lines = try CartFile(path: home.file(cart)).load().lines
        #expect(lines.map(\.priceText) == ["129.90 EUR"])
        #expect(lines.map(\.quantity) == [2])
    }
}
