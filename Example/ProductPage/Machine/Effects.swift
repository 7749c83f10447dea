import ProductReading
import PromisedSystem

/// Where the products of a page come from.
protocol CatalogueSource: Sendable {
    func catalogue() -> Promise<Catalogue>
}

/// Where the cart is kept.
protocol CartStorage: Sendable {
    func cart() -> Promise<Cart>
    /// Makes the change and gives the new cart; `isChanged` is false if there was nothing to take out.
    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)>
}

/// All that the page does to the world, as promises: nothing happens until one is run.
struct Effects: Sendable {
    var source: any CatalogueSource
    var storage: any CartStorage
    /// Which product to show first; nil for the first one.
    var product: String?
}
