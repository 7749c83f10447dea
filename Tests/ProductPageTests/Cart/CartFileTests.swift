import Foundation
import PromisedSystem
import PromisedTesting
import Synchronization
import TestSupport
import Testing

@testable import ProductPage

@Suite struct CartFileTests {
    private let said = Said()
    private let cart = Cart(lines: [.oneA, .oneC])

    private func file(_ folder: borrowing TemporaryFolder, _ name: String = "cart.json") -> CartFile {
        CartFile(path: folder.file(name), notice: said.notice)
    }

    /// Puts this cart in the place of the one before.
    private func save(_ cart: Cart, to file: CartFile) throws {
        _ = try file.change { $0 = cart }
    }

    private func add(_ product: Product, to file: CartFile) throws {
        _ = try file.change { cart throws(PageError) in try cart.apply(.add(.init(product, from: "shop"))) }
    }

    @Test("a cart comes back as it was, and its folders are made")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let store = file(folder, "a/b/cart.json")
        #expect(try store.load() == Cart())
        for cart in [cart, Cart()] {
            try save(cart, to: store)
            #expect(try store.load() == cart)
        }
        #expect(try folder.names() == ["a"])
    }

    @Test("the text of a cart: a line a line, exact prices as text")
    func text() throws {
        let lines = [
            Cart.Line(
                id: .init(source: "https://x/y", product: "p"), name: "Ünï\n\"",
                price: Decimal(string: "0.10"),
                currency: "EUR", quantity: 3), .oneC,
        ]
        let text = #"""
            {"version":3,"lines":[
            {"currency":"EUR","id":"p","name":"Ünï\n\"","price":"0.1","quantity":3,"source":"https://x/y"},
            {"id":"C","name":"Cheese","quantity":1,"source":"shop"}
            ]}

            """#
        #expect(String(decoding: try Cart(lines: lines).json, as: UTF8.self) == text)
        #expect(try Cart(json: Data(text.utf8)).lines == lines)
    }

    @Test(
        "carts of versions 1 and 2 are read",
        arguments: [
            #"{"version":1,"lines":[{"id":"A","name":"Apple","price":"1.5","quantity":2}]}"#,
            """
            {"version":2,"checksum":"7fb3c28c01e9a0d2","lines":[
            {"id":"A","name":"Apple","price":"1.5","quantity":2}
            ]}
            """,
        ])
    func earlierVersions(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "cart.json")
        let old = Cart.Line(id: .init(source: "", product: "A"), name: "Apple", price: 1.5, quantity: 2)
        #expect(try file(folder).load() == Cart(lines: [old]))
        #expect(try folder.read("cart.json") == text)
        try add(.a, to: file(folder))
        #expect(try file(folder).load().lines.map(\.quantity) == [3])
        #expect(try folder.read("cart.json").hasPrefix(#"{"version":3,"#))
        #expect(said.lines == [])
    }

    @Test(
        "what no program of ours wrote is damaged",
        arguments: [
            "", "{", "[]", "{}", "\u{FEFF}", #"{"version":3}"#, #"{"version":0,"lines":[]}"#,
            #"{"version":3,"lines":{}}"#,
            #"{"version":3,"lines":[{"id":"A","quantity":1}]}"#,
            #"{"version":3,"lines":[{"id":"A","name":"A","quantity":0}]}"#,
            #"{"version":3,"lines":[{"id":"A","name":"A","quantity":10000}]}"#,
            #"{"version":3,"lines":[{"id":"A","name":"A","quantity":1.5}]}"#,
            #"{"version":3,"lines":[{"id":"A","name":"A","quantity":1,"price":"1,5"}]}"#,
            #"{"version":3,"lines":[{"id":"A","name":"A","quantity":1,"price":2}]}"#,
            #"{"version":3,"lines":[{"id":"A","name":"A","quantity":1},{"id":"A","name":"A","quantity":1}]}"#,
        ])
    func damage(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "cart.json")
        let store = file(folder)
        #expect(try store.load() == Cart())
        #expect(
            said.lines == [
                "cart \(store.path): was damaged; it is kept as \(store.path).damaged-1, and the cart is empty now"
            ])
        #expect(try folder.names() == ["cart.json.damaged-1"])
        #expect(try folder.read("cart.json.damaged-1") == text)
        #expect(try store.load() == Cart())
        #expect(said.lines.count == 1)
    }

    @Test("every beginning of a file is damaged, but for the last line break")
    func beginnings() throws {
        let json = try cart.json
        for length in 0..<(json.count - 1) {
            #expect(throws: Cart.FormatError.damaged) { try Cart(json: json.prefix(length)) }
        }
        #expect(try Cart(json: json.dropLast()) == cart)
    }

    @Test("what was set aside earlier is never written over; a change sets aside as well")
    func setAside() throws {
        let folder = try TemporaryFolder()
        try folder.write("not ours", to: "cart.json.damaged-2")
        let store = file(folder)
        for text in ["one", "two"] {
            try folder.write(text, to: "cart.json")
            _ = try store.load()
        }
        try folder.write("three", to: "cart.json")
        try add(.a, to: store)
        #expect(
            try (1...4).map { try folder.read("cart.json.damaged-\($0)") } == [
                "one", "not ours", "two", "three",
            ])
        #expect(try store.load().count == 1)
        #expect(said.lines.map { $0.contains("damaged-2,") } == [false, false, false])
    }

    @Test("what cannot be set aside leaves no empty file of that name")
    func nothingToSetAside() throws {
        let folder = try TemporaryFolder()
        let file = AtomicFile(path: folder.file("cart.json"))
        #expect(throws: AtomicFile.Failure.self) { try file.setAside() }
        #expect(try folder.names() == [])
    }

    @Test("behind a link the file itself is set aside, and the link leads to an empty cart")
    func damageBehindALink() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "real.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("cart.json"), withDestinationPath: "real.json")
        #expect(try file(folder).load() == Cart())
        #expect(try folder.names() == ["cart.json", "real.json", "real.json.damaged-1"])
        #expect(try file(folder, "real.json").load() == Cart())
        try save(cart, to: file(folder))
        #expect(try file(folder, "real.json").load() == cart)
        #expect(said.lines.count == 1)
    }

    @Test("of several that find the damage at once one sets it aside, and nothing that they add is lost")
    func atOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "cart.json")
        let store = file(folder)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 1...5 { try? add(.a, to: store) }
        }
        #expect(try store.load().quantity(of: .oneA) == 20)
        #expect(said.lines.count == 1)
        #expect(try folder.names() == ["cart.json", "cart.json.damaged-1"])
    }

    @Test("a newer version is refused with the way out, and stays as it is")
    func newer() throws {
        let folder = try TemporaryFolder()
        let text = #"{"version":4,"items":{}}"#
        try folder.write(text, to: "cart.json")
        let store = file(folder)
        let expected =
            "cart \(store.path): was written by a newer version (format 4, this program knows 3); "
            + "update the program or use another --cart"
        #expect(message { _ = try store.load() } == expected)
        #expect(message { try save(cart, to: store) } == expected)
        #expect(try folder.names() == ["cart.json"])
        #expect(try folder.read("cart.json") == text)
    }

    @Test("a failure at any step leaves one whole cart and nothing else", arguments: AtomicFile.Step.allCases)
    func failingStep(step: AtomicFile.Step) throws {
        let folder = try TemporaryFolder()
        var store = file(folder)
        try save(.init(lines: [.oneB]), to: store)
        store.beforeStep = { now throws(AtomicFile.Failure) in
            if now == step { throw AtomicFile.Failure(reason: "no more") }
        }
        #expect(throws: PageError.cart(path: store.path, reason: "cannot be saved: no more")) {
            try save(cart, to: store)
        }
        #expect(try store.load() == (step == .syncFolder ? cart : Cart(lines: [.oneB])))
        #expect(try folder.names() == ["cart.json"])
    }

    @Test("a change that fails, changes nothing or is cancelled leaves the file")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        let old = #"{"version":1,"lines":[{"id":"A","name":"Apple","quantity":9999}]}"#
        try folder.write(old, to: "cart.json")
        var store = file(folder)
        #expect(throws: PageError.failed("the cart has 9999 of “Apple”, the most it takes")) {
            try add(.a, to: store)
        }
        #expect(
            try store.change { cart throws(PageError) in try cart.apply(.remove(.oneB)) }.isChanged == false)
        let isCancelled = Mutex(false)
        store.beforeStep = { step in if step == .rename { isCancelled.withLock { $0 = true } } }
        #expect(throws: PageError.cart(path: store.path, reason: "cannot be saved: cancelled")) {
            try store.change(unless: { isCancelled.withLock { $0 } }, { $0 = Cart() })
        }
        #expect(try folder.read("cart.json") == old)
        #expect(try folder.names() == ["cart.json"])
    }

    @Test("a cancelled change does not wait for the lock")
    func cancelledWaiting() throws {
        let folder = try TemporaryFolder()
        let lock = try FolderLock(folder.path)
        defer { lock.release() }
        #expect(
            message { _ = try file(folder).change(unless: { true }, { $0 = cart }) }.hasSuffix("cancelled"))
        #expect(try folder.names() == [])
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
        #expect(try store.load().quantity(of: .init(long, from: "shop")) == 1)
    }

    @Test("places where nothing can be written or read are named")
    func places() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "file")
        let path = folder.file("file/cart.json")
        #expect(
            message { try save(cart, to: CartFile(path: path)) }
                == "cart \(path): cannot be saved: a part of the path is not a directory")
        #expect(
            message { _ = try CartFile(path: folder.path).load() }.hasSuffix("cannot be read: is a directory")
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("gone.json"))
        #expect(message { _ = try file(folder, "link").load() }.hasSuffix("cannot be read: no such file"))
        #expect(try folder.read("file") == "x")
        #if os(Linux)
            // Not even root can make a file there.
            #expect(
                message { try save(cart, to: CartFile(path: "/proc/self/cart.json")) }
                    .hasPrefix("cart /proc/self/cart.json: cannot be saved: "))
            #expect(
                message { _ = try CartFile(path: "/proc/self/comm").load() }
                    .contains("is damaged and cannot be set aside: "))
        #endif
    }

    @Test("what killed processes left is removed by the next save")
    func strays() throws {
        let folder = try TemporaryFolder()
        let others = ["cart.json.tmp", "cart.json.old.tmp", "cart.json.damaged-1", "other.json.1.tmp"]
        for name in ["cart.json.1.tmp", "cart.json.99999.tmp"] + others { try folder.write("half", to: name) }
        try save(cart, to: file(folder))
        #expect(try folder.names() == (others + ["cart.json"]).sorted())
    }
}
