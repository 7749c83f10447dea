import ProductReading
import PromisedSystem

/// Effects as endpoints: a recorder observes their calls, and a recording that is run again answers them.
struct EndpointEffects: CatalogueSource, CartStorage {
    private struct ChangedCart: Codable, Sendable {
        var cart: Cart
        var isChanged: Bool
    }

    private let find: Endpoint<Void, Catalogue>
    private let readCart: Endpoint<Void, Cart>
    private let changeCart: Endpoint<Cart.Change, ChangedCart>

    init(source: any CatalogueSource, storage: any CartStorage) {
        find = Endpoint("catalogue", failing: PageError.self) { source.catalogue() }
        readCart = Endpoint("cart", failing: PageError.self) { storage.cart() }
        changeCart = Endpoint("change", failing: PageError.self) { change in
            storage.change(change).map { ChangedCart(cart: $0.cart, isChanged: $0.isChanged) }
        }
    }

    func catalogue() -> Promise<Catalogue> { find() }
    func cart() -> Promise<Cart> { readCart() }

    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
        changeCart(change).map { ($0.cart, $0.isChanged) }
    }
}
