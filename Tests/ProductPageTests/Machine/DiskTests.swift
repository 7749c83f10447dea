import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// What blocks is done elsewhere, and what it gives comes back to where the page lives.
@Suite struct DiskTests {
    private let main = TestScheduler()
    private let disk = TestScheduler()

    private func effects(_ cart: String) -> Effects {
        var options = Options(source: .file(path: "shop.json"))
        options.cart = cart
        return .live(options, disk: disk)
    }

    private func finish() {
        main.finish()
        disk.finish()
    }

    @Test("the cart is read and changed on the disk's scheduler, and given on that of the chain")
    func elsewhere() throws {
        let folder = try TemporaryFolder()
        let effects = effects(folder.file("cart.json"))
        let change = effects.changeCart { cart throws(PageError) in try cart.add(.a) }
            .map { [main] cart in (cart.count, main.isCurrent) }
            .start(on: main)
        main.run()
        #expect(change.result == nil)
        #expect(try folder.names() == [])
        disk.run()
        #expect(try folder.names() == ["cart.json"])
        main.run()
        #expect(try #require(change.result).get() == (1, true))

        let cart = effects.cart().start(on: main)
        main.run()
        #expect(cart.result == nil)
        disk.run()
        main.run()
        #expect(try #require(cart.result).get().count == 1)
        finish()
    }

    @Test("a change that is cancelled before its turn is not made")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        let change = effects(folder.file("cart.json"))
            .changeCart { cart throws(PageError) in try cart.add(.a) }
            .start(on: main)
        main.run()
        change.cancel()
        disk.run()
        main.run()
        #expect(try folder.names() == [])
        finish()
    }
}
