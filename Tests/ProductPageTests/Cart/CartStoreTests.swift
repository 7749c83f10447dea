import Foundation
import Synchronization
import Testing

@testable import ProductPage

@Suite struct CartStoreTests {
    private let cart = Cart(lines: [.pot, .onRequest])

    @Test func aCartComesBackAsItWas() throws {
        let folder = try TemporaryFolder()
        let store = CartStore(path: folder.file("cart.json"))
        #expect(try store.load() == Cart())
        try store.save(cart)
        #expect(try store.load() == cart)
        try store.save(Cart())
        #expect(try store.load() == Cart())
        #expect(try folder.names() == ["cart.json"])
    }

    @Test func aChangeIsSavedAndGivesTheNewCart() throws {
        let folder = try TemporaryFolder()
        let store = CartStore(path: folder.file("cart.json"))
        let changed = try store.change { cart throws(PageError) in try cart.add(.a) }
        #expect(changed.quantity(of: "A") == 1)
        #expect(try store.load() == changed)
        #expect(try store.change { $0.remove("A") } == Cart())
        #expect(try store.load() == Cart())
    }

    @Test func aChangeThatFailsOrChangesNothingLeavesTheFile() throws {
        let folder = try TemporaryFolder()
        let store = CartStore(path: folder.file("cart.json"))
        let old = #"{"version":1,"lines":[{"id":"A","name":"Apple","quantity":9999}]}"#
        try folder.write(old, to: "cart.json")
        #expect(throws: PageError.tooManyPieces(of: "Apple")) {
            try store.change { cart throws(PageError) in try cart.add(.a) }
        }
        _ = try store.change { $0.remove("B") }
        #expect(try folder.read("cart.json") == old)
        #expect(try folder.names() == ["cart.json"])
        // The first real change makes it a file of this version.
        #expect(try store.change { $0.remove("A") }.count == 9_998)
        #expect(try folder.read("cart.json").hasPrefix(#"{"version":2,"#))
    }

    @Test func aChangeThatIsCancelledBeforeItIsInPlaceStaysUndone() throws {
        let folder = try TemporaryFolder()
        var store = CartStore(path: folder.file("cart.json"))
        try store.save(cart)
        let isCancelled = Mutex(false)
        store.beforeStep = { step in
            if step == .rename { isCancelled.withLock { $0 = true } }
        }
        #expect(throws: PageError.cart(path: store.path, reason: "cannot be saved: cancelled")) {
            try store.change(
                unless: { isCancelled.withLock { $0 } }, { cart throws(PageError) in try cart.add(.a) })
        }
        #expect(try store.load() == cart)
        #expect(try folder.names() == ["cart.json"])
    }

    @Test func aChangeThatIsCancelledWaitsForNobody() throws {
        let folder = try TemporaryFolder()
        let lock = try FolderLock(folder.path)
        defer { lock.release() }
        let store = CartStore(path: folder.file("cart.json"))
        #expect(throws: PageError.cart(path: store.path, reason: "cannot be saved: cancelled")) {
            try store.change(unless: { true }, { cart throws(PageError) in try cart.add(.a) })
        }
        #expect(try folder.names() == [])
    }

    @Test func missingFoldersAreMade() throws {
        let folder = try TemporaryFolder()
        let store = CartStore(path: folder.file("a/b/c/cart.json"))
        try store.save(cart)
        #expect(try store.load() == cart)
    }

    @Test func aNewerVersionIsRefusedWithTheWayOut() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version":3,"items":{}}"#, to: "cart.json")
        let store = CartStore(path: folder.file("cart.json"))
        let expected =
            "cart \(store.path): was written by a newer version (format 3, this program knows 2); "
            + "update the program or use another --cart"
        #expect(message { _ = try store.load() } == expected)
        #expect(message { try store.save(cart) } == expected)
        #expect(message { _ = try store.change { $0.remove("A") } } == expected)
        #expect(try folder.names() == ["cart.json"])
        #expect(try folder.read("cart.json") == #"{"version":3,"items":{}}"#)
    }

    @Test(arguments: AtomicFile.Step.allCases)
    func aFailureAtAnyStepLeavesOneWholeCartAndNothingElse(step: AtomicFile.Step) throws {
        let folder = try TemporaryFolder()
        var store = CartStore(path: folder.file("cart.json"))
        try store.save(Cart())
        store.beforeStep = { now throws(AtomicFile.Failure) in
            if now == step { throw AtomicFile.Failure(reason: "no more") }
        }
        #expect(throws: PageError.cart(path: store.path, reason: "cannot be saved: no more")) {
            try store.save(cart)
        }
        #expect(try store.load() == (step == .syncFolder ? cart : Cart()))
        #expect(try folder.names() == ["cart.json"])
    }

    @Test func placesWhereNothingCanBeWrittenAreNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "file")
        let path = folder.file("file/cart.json")
        #expect(
            message { try CartStore(path: path).save(cart) }
                == "cart \(path): cannot be saved: a part of the path is not a directory")
        let directory = CartStore(path: folder.path)
        #expect(message { _ = try directory.load() }.hasSuffix("cannot be read: is a directory"))
        #expect(try folder.read("file") == "x")
        #expect(try folder.names() == ["file"])
    }

    @Test func whatKilledProcessesLeftIsRemovedByTheNextSave() throws {
        let folder = try TemporaryFolder()
        let strays = ["cart.json.1.tmp", "cart.json.99999.tmp"]
        let others = ["cart.json.tmp", "cart.json.old.tmp", "cart.json.damaged-1", "other.json.1.tmp"]
        for name in strays + others { try folder.write("half", to: name) }
        try CartStore(path: folder.file("cart.json")).save(cart)
        #expect(try folder.names() == (others + ["cart.json"]).sorted())
    }

    #if os(Linux)
        @Test func aReadOnlyFolderIsNamed() {
            // Not even root can make a file there.
            let store = CartStore(path: "/proc/self/cart.json")
            #expect(
                message { try store.save(cart) }.hasPrefix("cart /proc/self/cart.json: cannot be saved: "))
        }
    #endif

    @Test func aLinkStaysALink() throws {
        let folder = try TemporaryFolder()
        try CartStore(path: folder.file("real.json")).save(Cart())
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("cart.json"), withDestinationPath: folder.file("real.json"))
        try CartStore(path: folder.file("cart.json")).save(cart)
        #expect(try CartStore(path: folder.file("real.json")).load() == cart)
    }

    @Test func aLinkThatLeadsNowhereIsNotAnEmptyCart() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("cart.json"), withDestinationPath: folder.file("gone.json"))
        #expect(
            message { _ = try CartStore(path: folder.file("cart.json")).load() }
                .hasSuffix("cannot be read: no such file"))
    }

    @Test func theDefaultPlaceFollowsTheEnvironment() {
        func path(_ state: String?) -> String {
            CartStore.defaultPath(environment: state.map { ["XDG_STATE_HOME": $0] } ?? [:], home: "/home/me")
        }
        #expect(path("/state") == "/state/product-page/cart.json")
        #if !canImport(Darwin)
            #expect(path(nil) == "/home/me/.local/state/product-page/cart.json")
            #expect(path("") == path(nil))
            #expect(path("relative") == path(nil))
        #endif
    }
}
