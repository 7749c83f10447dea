import PromisedSystem

/// Everything that the product page does to the world, as promises: nothing happens until one is run.
struct Effects: Sendable {
    /// The products of the source.
    var catalogue: @Sendable () -> Promise<Catalogue>
    /// The products as an earlier run has loaded them; nil where nothing is remembered.
    var remembered: @Sendable () -> Promise<Catalogue?>
    /// Which product to show first, without doing anything.
    var choose: @Sendable (Catalogue) throws -> Int
    /// The cart as it is kept.
    var cart: @Sendable () -> Promise<Cart>
    /// Changes the cart that is kept, and gives the new one; a change that throws leaves it as it was.
    var changeCart: @Sendable (@escaping @Sendable (inout Cart) throws(PageError) -> Void) -> Promise<Cart>
}
