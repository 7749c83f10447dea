import Foundation
import Testing

@testable import ProductPage

@Suite struct CartStoreTests {
    private let cart = Cart(lines: [
        .init(
            id: "é\"1", name: "鉄瓶 / pot", price: Decimal(sign: .plus, exponent: -2, significand: 12_990),
            currency: "EUR", quantity: 2),
        .init(id: "b", name: "on request", price: nil, currency: nil, quantity: 1),
    ])

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

    @Test func theFileHasAVersionAndPricesAsText() throws {
        let folder = try TemporaryFolder()
        try CartStore(path: folder.file("cart.json")).save(Cart(lines: [cart.lines[0]]))
        #expect(
            try folder.read("cart.json") == """
                {
                  "lines" : [
                    {
                      "currency" : "EUR",
                      "id" : "é\\"1",
                      "name" : "鉄瓶 / pot",
                      "price" : "129.9",
                      "quantity" : 2
                    }
                  ],
                  "version" : 1
                }

                """)
    }

    @Test func missingFoldersAreMade() throws {
        let folder = try TemporaryFolder()
        let store = CartStore(path: folder.file("a/b/c/cart.json"))
        try store.save(cart)
        #expect(try store.load() == cart)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", #"{"version":1}"#, #"{"version":"1","lines":[]}"#,
        #"{"version":0,"lines":[]}"#,
        #"{"version":1,"lines":[{"id":"a"}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":0}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":10000}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1,"price":"1,5"}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1,"price":1.5}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1},{"id":"a","name":"b","quantity":1}]}"#,
    ])
    func aDamagedFileIsAnErrorAndNeverWrittenOver(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "cart.json")
        let store = CartStore(path: folder.file("cart.json"))
        let error = PageError.cart(
            path: store.path, reason: "is damaged; move it away to begin with an empty cart")
        #expect(throws: error) { try store.load() }
        #expect(throws: error) { try store.save(cart) }
        #expect(try folder.read("cart.json") == text)
        #expect(try folder.names() == ["cart.json"])
    }

    @Test func everyPrefixOfAFileIsDamaged() throws {
        let folder = try TemporaryFolder()
        let store = CartStore(path: folder.file("cart.json"))
        try store.save(cart)
        let whole = try folder.read("cart.json")
        for length in 0..<(whole.count - 1) {
            try folder.write(String(whole.prefix(length)), to: "cart.json")
            #expect(throws: PageError.self) { try store.load() }
        }
    }

    @Test func aNewerVersionIsRefusedWithTheWayOut() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version":2,"items":{}}"#, to: "cart.json")
        let store = CartStore(path: folder.file("cart.json"))
        let expected =
            "cart \(store.path): was written by a newer version (format 2, this program knows 1); "
            + "update the program or use another --cart"
        #expect(message { _ = try store.load() } == expected)
        #expect(message { try store.save(cart) } == expected)
        #expect(try folder.read("cart.json") == #"{"version":2,"items":{}}"#)
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
                == "cart \(path): cannot be read: a part of the path is not a directory")
        let directory = CartStore(path: folder.path)
        #expect(message { _ = try directory.load() }.hasSuffix("cannot be read: is a directory"))
        #expect(try folder.read("file") == "x")
        #expect(try folder.names() == ["file"])
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
