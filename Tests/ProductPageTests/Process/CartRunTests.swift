import Foundation
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct CartRunTests {
    private static let cart = "state/product-page/cart.json"

    @Test("the cart is kept between two runs, in the user's state directory or where --cart says")
    func places() async throws {
        let home = try TemporaryFolder()
        #expect(try await home.run("--latency 0 --events load,add").code == 0)
        #expect(try home.read(Self.cart).contains(#""LMP-1""#))
        #if !canImport(Darwin)
            let unset = try await home.run(
                "--latency 0 --events load,add", environment: ["XDG_STATE_HOME": ""])
            #expect(unset.lines.last?.hasSuffix("cart 1") == true)
            #expect(try home.read(".local/state/product-page/cart.json") == home.read(Self.cart))
        #endif
        let mine = ["--latency", "0", "--cart", "my cart.json"]
        for pieces in ["1 piece", "2 pieces"] {
            #expect(try await home.run(mine + ["--events", "load,add"]).code == 0)
            #expect(try await home.run(mine).output.hasSuffix("\n\n  Cart: \(pieces)\n"))
        }
        #expect(try CartFile(path: home.file("my cart.json")).load().lines.map(\.quantity) == [2])
        #expect(try home.visibleNames() == ["my cart.json", "state"])
        #expect(
            try await home.run("--latency 0 --cart other").lines.last == "  is warm enough for late pages.")
    }

    /// How the cart comes to be, where it is, and what follows `cart PLACE: `.
    static let unreadable = [
        (
            #"echo '{"version":9}' >c.json"#, "c.json",
            "was written by a newer version (format 9, this program knows 4); "
                + "update the program or use another --cart"
        ),
        (":", ".", "cannot be read: is a directory"),
        ("mkfifo pipe", "pipe", "cannot be read: is no regular file"),
    ]

    @Test(
        "a cart that cannot be read hides no product, is an error in a page and a script, and stays as it is",
        arguments: unreadable)
    func hidesNoProduct(command: String, place: String, reason: String) async throws {
        let home = try TemporaryFolder()
        let names = "ls >names; cat c.json >>names 2>/dev/null; true"
        func run(_ line: String) async throws -> Outcome {
            try await home.run("--latency 0 --cart \(place) \(line)")
        }
        #expect(try BuiltTool.output(of: ["/bin/sh", "-c", "\(command); \(names)"], in: home.path).code == 0)
        let before = try home.read("names")
        let errors = "product-page: cart \(place): \(reason)\n"
        let page = try await run("")
        #expect(page.lines.first == "Ålesund desk lamp" && page.errors == errors && page.code == 1)
        for list in ["--list", "--list --json"] {
            let list = try await run(list)
            #expect(list.lines.count == 9 && list.errors == "" && list.code == 0)
        }
        let script = try await run("--events load,add")
        let error = "error: cart \(place): \(reason)"
        #expect(script.lines.filter { $0.hasPrefix("error") }.first == error)
        #expect(script.errors == errors && script.code == 1)
        #expect(try BuiltTool.output(of: ["/bin/sh", "-c", names], in: home.path).code == 0)
        #expect(try home.read("names") == before)
    }

    #if os(Linux)
        @Test("a device is no cart, and is not waited for", .enabled(if: PseudoDevice.isPossible))
        func device() async throws {
            // Not the null device: if the program did save there, then as root it would put a file in its place.
            // Among the terminals there can be none.
            let device = try PseudoDevice(columns: 80, rows: 24)
            let outcome = try await TemporaryFolder().run(
                "--latency 0 --cart \(device.path) --events load,add")
            #expect(
                outcome.errors == "product-page: cart \(device.path): cannot be read: is no regular file\n")
            #expect(outcome.code == 1)
        }

        @Test("a cart that cannot be saved is an error of the page, and the product stays in view")
        func unwritable() async throws {
            let outcome = try await TemporaryFolder().run(
                "--latency 0 --cart /proc/self/cart.json --events load,add,next")
            #expect(
                outcome.lines.map { String($0.prefix(29)) } == [
                    "start", "loading", "loaded: Ålesund desk lamp, 12", "loading",
                    "error: cart /proc/self/cart.j", "loaded: 鉄瓶 Tetsubin tea pot, ",
                ])
            #expect(outcome.code == 0 && outcome.errors == "")
        }
    #endif

    @Test("a damaged cart is set aside with one line, and the page goes on with an empty one")
    func damaged() async throws {
        let home = try TemporaryFolder(["c.json": "{"])
        let first = try await home.run("--latency 0 --cart c.json --events load,add")
        #expect(first.code == 0 && first.lines.last?.hasSuffix("cart 1") == true)
        #expect(first.errors.hasPrefix("product-page: cart c.json: was damaged; it is kept as "))
        #expect(first.errors.hasSuffix("/c.json.damaged-1, and the cart is empty now\n"))
        #expect(first.errors.split(separator: "\n").count == 1)
        #expect(try home.read("c.json.damaged-1") == "{")
        let second = try await home.run("--latency 0 --cart c.json --events load,add")
        #expect(second.lines.last?.hasSuffix("cart 2") == true && second.errors == "")
    }

    private func product(_ name: String, _ price: String) -> String {
        #"{"@type":"Product","sku":"7","name":"\#(name)","offers":{"price":\#(price),"priceCurrency":"EUR"}}"#
    }

    @Test("two sources with one product id are two lines, and what is taken out is of the source in view")
    func sources() async throws {
        let home = try TemporaryFolder([
            "Desk.json": product("Desk", "100"), "Cable.json": product("Cable", "5"),
        ])
        for name in ["Desk", "Cable"] {
            #expect(try await home.run("\(name).json --events load,add,add").code == 0)
        }
        let removed = try await home.run("./Desk.json --events load,remove,remove,remove")
        #expect(
            removed.lines.filter { $0 != "loading" } == [
                "start", "loaded: Desk, 100.00 EUR, cart 4", "removed: Desk, 100.00 EUR, cart 3",
                "removed: Desk, 100.00 EUR, cart 2", "nothing to remove: Desk is not in the cart",
            ])
        #expect(try CartFile(path: home.file(Self.cart)).load().lines.map(\.name) == ["Cable"])
    }

    @Test("a line keeps the price that it was added at")
    func oldPrice() async throws {
        let home = try TemporaryFolder()
        for price in ["129.9", "119.9"] {
            try home.write(product("Desk", price), to: "a.json")
            _ = try await home.run("a.json --events load,add")
        }
        let lines = try CartFile(path: home.file(Self.cart)).load().lines
        #expect(lines.map(\.priceText) == ["129.90 EUR"] && lines.map(\.quantity) == [2])
    }
}
