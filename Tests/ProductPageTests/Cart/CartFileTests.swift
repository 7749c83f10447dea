import Foundation
import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

@Suite struct CartFileTests {
    private let log = LineLog()
    private let cart = Cart(lines: [.oneA, .oneC])

    private func file(_ folder: borrowing TemporaryFolder, _ name: String = "cart.json") -> CartFile {
        CartFile(path: folder.file(name), notice: log.notice)
    }

    private func add(_ product: Product, to file: CartFile) throws {
        _ = try file.change { try $0.apply(.add(.init(product, from: "shop"))) }
    }

    @Test("a cart comes back as it was, and its folders are made for the user alone")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let store = file(folder, "a/b/cart.json")
        #expect(try store.load() == Cart())
        for cart in [cart, Cart()] {
            _ = try store.change { $0 = cart }
            #expect(try store.load() == cart)
        }
        for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/cart.json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(try folder.names() == ["a"])
    }

    @Test("the text of a cart, with exact prices; one that cannot be counted is none")
    func text() throws {
        let prices = ["0.1", "129.9", "999999999999999.999999999999", "0.000000000001", "-2.5"]
        let lines = prices.map {
            Cart.Line(
                source: "https://x/y", product: $0, name: "Ünï\n\"", price: Decimal(string: $0),
                currency: "EUR",
                quantity: 3)
        }
        let text = String(decoding: try Cart(lines: lines).json, as: UTF8.self)
        for price in prices { #expect(text.contains("\"price\" : \(price),")) }
        #expect(text.contains(#""source" : "https://x/y""#) && text.contains(#""version" : 4"#))
        #expect(try Cart(json: Data(text.utf8)).lines == lines)
        let huge = #"{"version":4,"lines":[{"source":"shop","id":"A","name":"A","quantity":1,"price":1e20}]}"#
        #expect(try Cart(json: Data(huge.utf8)).lines.map(\.price) == [nil])
    }

    private static func line(_ members: String) -> String {
        #"{"version":4,"lines":[{"source":"shop","id":"A",\#(members)}]}"#
    }

    @Test(
        "what no program of ours wrote is damaged",
        arguments: [
            "", "{", "[]", "{}", "\u{FEFF}", #"{"version":4}"#, #"{"version":0,"lines":[]}"#,
            #"{"version":4,"lines":{}}"#, #"{"version":3,"lines":[]}"#, line(#""quantity":1"#),
            line(#""name":"A","quantity":0"#),
            line(#""name":"A","quantity":10000"#), line(#""name":"A","quantity":1.5"#),
            line(#""name":"A","quantity":1,"price":"1.5""#), line(#""name":"A","quantity":1,"price":[]"#),
            line(#""name":"A","quantity":1},{"source":"shop","id":"A","name":"A","quantity":1"#),
            line(#""name":"A","quantity":1},{"id":"B","name":"B","quantity":1"#),
        ])
    func damage(text: String) throws {
        let folder = try TemporaryFolder(["cart.json": text])
        let store = file(folder)
        let line =
            "cart \(store.path): was damaged; it is kept as \(store.path).damaged-1, and the cart is empty now"
        for _ in 1...2 {
            #expect(try store.load() == Cart())
            #expect(log.lines == [line])
        }
        #expect(try folder.names() == ["cart.json.damaged-1"])
        #expect(try folder.read("cart.json.damaged-1") == text)
    }

    @Test("every beginning of a file is damaged")
    func beginnings() throws {
        let json = try cart.json
        for length in 0..<json.count {
            #expect(throws: Cart.FormatError.damaged) { try Cart(json: json.prefix(length)) }
        }
    }

    @Test("what was set aside earlier is never written over; a change sets aside as well")
    func setAside() throws {
        let folder = try TemporaryFolder(["cart.json.damaged-2": "not ours"])
        let store = file(folder)
        for text in ["one", "two"] {
            try folder.write(text, to: "cart.json")
            _ = try store.load()
        }
        try folder.write("three", to: "cart.json")
        try add(.a, to: store)
        let kept = try (1...4).map { try folder.read("cart.json.damaged-\($0)") }
        #expect(kept == ["one", "not ours", "two", "three"])
        #expect(try store.load().count == 1)
        #expect(log.lines.map { $0.contains("damaged-2,") } == [false, false, false])
        let gone = AtomicFile(path: folder.file("gone.json"))
        #expect(throws: AtomicFile.Failure(reason: "no such file")) { try gone.setAside() }
        #expect(try folder.names().count == 5)
    }

    @Test("behind a link the file itself is set aside, and the link leads to an empty cart")
    func damageBehindALink() throws {
        let folder = try TemporaryFolder(["real.json": "{"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("cart.json"), withDestinationPath: "real.json")
        #expect(try file(folder).load() == Cart())
        #expect(try folder.names() == ["cart.json", "real.json", "real.json.damaged-1"])
        #expect(try file(folder, "real.json").load() == Cart())
        _ = try file(folder).change { $0 = cart }
        #expect(try file(folder, "real.json").load() == cart)
        #expect(log.lines.count == 1)
    }

    @Test("of several that find the damage at once one sets it aside, and nothing that they add is lost")
    func atOnce() throws {
        let folder = try TemporaryFolder(["cart.json": "{"])
        let store = file(folder)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 1...5 { try? add(.a, to: store) }
        }
        #expect(try store.load().lines.map(\.quantity) == [20])
        #expect(log.lines.count == 1)
        #expect(try folder.names() == ["cart.json", "cart.json.damaged-1"])
    }

    @Test("a newer version is refused with the way out, and stays as it is")
    func newer() throws {
        let text = #"{"version":5,"items":{}}"#
        let folder = try TemporaryFolder(["cart.json": text])
        let store = file(folder)
        let expected =
            "cart \(store.path): was written by a newer version (format 5, this program knows 4); "
            + "update the program or use another --cart"
        #expect(message { _ = try store.load() } == expected)
        #expect(message { _ = try store.change { $0 = cart } } == expected)
        #expect(try folder.names() == ["cart.json"])
        #expect(try folder.read("cart.json") == text)
    }

    @Test("a change that fails, changes nothing or is cancelled leaves the file, and nothing beside it")
    func unchanged() throws {
        let old = #"{"version":4,"lines":[{"source":"shop","id":"A","name":"Apple","quantity":9999}]}"#
        let folder = try TemporaryFolder(["cart.json": old])
        let store = file(folder)
        #expect(throws: PageError.failed("the cart has 9999 of “Apple”, the most it takes")) {
            try add(.a, to: store)
        }
        #expect(try store.change { try $0.apply(.remove(.oneB)) }.isChanged == false)
        #expect(throws: PageError.cart(path: store.path, reason: "cannot be saved: cancelled")) {
            try store.change(unless: { true }, { $0 = Cart() })
        }
        #expect(try folder.read("cart.json") == old)
        // A temporary file that cannot be made, and a cart that cannot be put in its place.
        try FileManager.default.createDirectory(
            atPath: folder.file("cart.json.tmp/x"), withIntermediateDirectories: true)
        #expect(message { _ = try store.change { $0 = cart } }.contains("cannot be saved: "))
        let taken = AtomicFile(path: folder.path)
        #expect(throws: AtomicFile.Failure.self) { try taken.replace(with: Data()) }
        #expect(SystemReason.isMissing(folder.path + ".tmp"))
        #expect(try folder.read("cart.json") == old)
        #expect(try folder.names() == ["cart.json", "cart.json.tmp"])
    }

    @Test("as promises: the work is done on the disk's scheduler, and not at all once it is cancelled")
    func promises() throws {
        let folder = try TemporaryFolder()
        let scheduler = TestScheduler()
        var store = file(folder)
        store.disk = scheduler
        let cancelled = store.change(.add(.oneA)).start(on: scheduler)
        cancelled.cancel()
        let added = store.change(.add(.oneB)).start(on: scheduler)
        let missing = store.change(.remove(.oneA)).start(on: scheduler)
        let read = store.cart().start(on: scheduler)
        #expect(try folder.names() == [])
        scheduler.run()
        #expect(try added.result?.get().isChanged == true)
        #expect(try missing.result?.get().isChanged == false)
        #expect(try read.result?.get() == Cart(lines: [.oneB]))
    }

    @Test("texts of any length are kept, up to what is read again")
    func full() throws {
        let folder = try TemporaryFolder()
        let store = file(folder)
        let long = Product(id: String(repeating: "x", count: 9_000_000), name: "Long")
        try add(long, to: store)
        let other = Product(id: long.id + "y", name: "Long")
        #expect(
            message { try add(other, to: store) }
                == "cart \(store.path): cannot be saved: it is full; remove a product first")
        #expect(try store.load().lines.map(\.product) == [long.id])
    }

    @Test("places where nothing can be written or read are named")
    func places() throws {
        let folder = try TemporaryFolder(["file": "x"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("gone.json"))
        func saving(_ path: String) -> String {
            message { _ = try CartFile(path: path).change { $0 = cart } }
        }
        let path = folder.file("file/cart.json")
        #expect(saving(path) == "cart \(path): cannot be saved: a part of the path is not a directory")
        func loading(_ path: String) -> String { message { _ = try CartFile(path: path).load() } }
        #expect(loading(folder.path).hasSuffix("cannot be read: is a directory"))
        #expect(loading(folder.file("link")).hasSuffix("cannot be read: no such file"))
        #expect(try folder.read("file") == "x")
        #if os(Linux)
            // Not even root can make a file there.
            #expect(saving("/proc/self/cart.json").hasPrefix("cart /proc/self/cart.json: cannot be saved: "))
            #expect(loading("/proc/self/comm").contains("is damaged and cannot be set aside: "))
        #endif
    }

    @Test("what a killed process left is replaced by the next save")
    func strays() throws {
        let others = ["cart.json.old.tmp", "cart.json.damaged-1", "other.json.tmp"]
        let folder = try TemporaryFolder(
            Dictionary(uniqueKeysWithValues: (others + ["cart.json.tmp"]).map { ($0, "half") }))
        _ = try file(folder).change { $0 = cart }
        #expect(try file(folder).load() == cart)
        #expect(try folder.names() == (others + ["cart.json"]).sorted())
    }

    @Test("the default place follows the environment")
    func defaultPath() {
        func path(_ environment: [String: String]) -> String {
            StateFolder.path(of: "product-page/cart.json", environment: environment, home: "/home/me")
        }
        #expect(path(["XDG_STATE_HOME": "/state"]) == "/state/product-page/cart.json")
        #if !canImport(Darwin)
            let name = "/.local/state/product-page/cart.json"
            for environment in [
                [:], ["XDG_STATE_HOME": ""], ["XDG_STATE_HOME": "relative"], ["HOME": "mine"], ["HOME": ""],
            ] {
                #expect(path(environment) == "/home/me" + name)
            }
            #expect(path(["HOME": "/mine"]) == "/mine" + name)
        #endif
    }
}
