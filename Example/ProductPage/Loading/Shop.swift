import ProductReading
import PromisedSystem
import Synchronization
import ToolSupport

/// A shop that isn't there: it answers after a while, and now and then it fails.
final class Shop: CatalogueSource {
    private let latency: Duration
    private let failRate: Double
    private let random: Mutex<SplitMix>

    /// - Parameters:
    ///   - latency: How long an answer takes.
    ///   - failRate: The share of answers that are failures, from 0 to 1.
    ///   - seed: Makes the failures the same on each run; nil for others each time.
    init(latency: Duration, failRate: Double, seed: UInt64?) {
        self.latency = latency
        self.failRate = failRate
        random = Mutex(SplitMix(seed: seed ?? .random(in: 0 ... .max)))
    }

    func catalogue() -> Promise<Catalogue> { answer { try BundledCatalogue.catalogue() } }

    /// An answer of the shop. Whether it fails is decided when the promise runs, not when it is made.
    func answer<Answer: Sendable>(_ answer: @escaping @Sendable () throws -> Answer) -> Promise<Answer> {
        Promise { [self] resolver in
            guard random.withLock({ Double.random(in: 0..<1, using: &$0) }) >= failRate else {
                throw PageError.failed("\(BundledCatalogue.name): the shop does not answer; try again")
            }
            resolver.fulfill(try answer())
        }
        .delay(latency)
    }
}

/// The cart of the shop, which answers before the cart changes.
struct ShopCart: CartStorage {
    let shop: Shop
    let storage: any CartStorage

    func cart() -> Promise<Cart> { storage.cart() }

    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
        shop.answer {}.flatMap { storage.change(change) }
    }
}
