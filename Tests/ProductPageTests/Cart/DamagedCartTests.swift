import Foundation
import Synchronization
import Testing

@testable import ProductPage

@Suite struct DamagedCartTests {
    private let said = Said()

    @Test("a damaged file is set aside when it is read, with a word about it, once")
    func loading() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "cart.json")
        let store = CartStore(path: folder.file("cart.json"), notice: said.notice)
        #expect(try store.load() == Cart())
        #expect(
            said.lines == [
                "cart \(store.path): was damaged; it is kept as \(store.path).damaged-1, "
                    + "and the cart is empty now"
            ])
        #expect(try folder.names() == ["cart.json.damaged-1"])
        #expect(try folder.read("cart.json.damaged-1") == "{")
        #expect(try store.load() == Cart())
        #expect(said.lines.count == 1)
    }

    @Test("a damaged file is set aside before it is changed or saved")
    func changing() throws {
        for change: (CartStore) throws -> Void in [
            { _ = try $0.change { cart throws(PageError) in try cart.add(.a) } },
            { try $0.save(Cart(lines: [.init(Product.a)])) },
        ] {
            let folder = try TemporaryFolder()
            try folder.write("{}", to: "cart.json")
            let store = CartStore(path: folder.file("cart.json"), notice: said.notice)
            try change(store)
            #expect(try store.load().quantity(of: "A") == 1)
            #expect(try folder.names() == ["cart.json", "cart.json.damaged-1"])
            #expect(try folder.read("cart.json.damaged-1") == "{}")
        }
        #expect(said.lines.count == 2)
    }

    @Test("what was set aside earlier is never written over")
    func severalTimes() throws {
        let folder = try TemporaryFolder()
        try folder.write("not ours", to: "cart.json.damaged-2")
        let store = CartStore(path: folder.file("cart.json"), notice: said.notice)
        for text in ["one", "two", "three"] {
            try folder.write(text, to: "cart.json")
            _ = try store.load()
        }
        let kept = try (1...4).map { try folder.read("cart.json.damaged-\($0)") }
        #expect(kept == ["one", "not ours", "two", "three"])
        #expect(try folder.names().count == 4)
        #expect(said.lines.map { $0.contains("damaged-2,") } == [false, false, false])
    }

    @Test("behind a link the file itself is set aside, and the link leads to an empty cart")
    func link() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "real.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("cart.json"), withDestinationPath: "real.json")
        let store = CartStore(path: folder.file("cart.json"), notice: said.notice)
        #expect(try store.load() == Cart())
        #expect(try folder.names() == ["cart.json", "real.json", "real.json.damaged-1"])
        #expect(try CartStore(path: folder.file("real.json"), notice: said.notice).load() == Cart())
        #expect(said.lines.count == 1)
    }

    @Test("of several who find it at once one sets it aside, and nothing that they add is lost")
    func atOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "cart.json")
        let store = CartStore(path: folder.file("cart.json"), notice: said.notice)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 1...5 { _ = try? store.change { cart throws(PageError) in try cart.add(.a) } }
        }
        #expect(try store.load().quantity(of: "A") == 20)
        #expect(said.lines.count == 1)
        #expect(try folder.names() == ["cart.json", "cart.json.damaged-1"])
    }

    #if os(Linux)
        @Test("where it cannot be set aside that is said, and the file stays")
        func cannotBeSetAside() {
            // A file of the system's that is no cart, in a folder where not even root can make one.
            let store = CartStore(path: "/proc/self/comm", notice: said.notice)
            #expect(message { _ = try store.load() }.contains("is damaged and cannot be set aside: "))
            #expect(said.lines == [])
        }
    #endif
}

/// What was told.
private final class Said: Sendable {
    private let log = Mutex<[String]>([])

    var lines: [String] { log.withLock { $0 } }
    var notice: @Sendable (String) -> Void { { line in self.log.withLock { $0.append(line) } } }
}
