import Foundation
import ProductCommands
import ProductReading
import PromisedSystem
import ToolSupport

extension Effects {
    /// The real ones: the disk, the network, and the bundled catalogue, which pretends to be a slow shop.
    ///
    /// - Parameter notice: Called with one line that the user should know though nothing has failed.
    static func live(_ options: Options, notice: @escaping @Sendable (String) -> Void = { _ in }) -> Effects {
        let path = options.cart ?? StateFolder.path(of: "product-page/cart.json")
        let cart = CartFile(path: path, notice: notice)
        let shop = Shop(latency: options.latency, failRate: options.failRate, seed: options.seed)
        let source = LimitedSource(
            source: options.source?.products ?? shop, limit: options.timeout,
            name: options.source?.name ?? BundledCatalogue.name, notice: notice)
        let storage: any CartStorage = options.source == nil ? ShopCart(shop: shop, storage: cart) : cart
        let endpoints = EndpointEffects(source: source, storage: storage)
        return Effects(source: endpoints, storage: endpoints, product: options.product)
    }
}

extension SourceLocation {
    var products: any CatalogueSource {
        switch self {
        case .file(let path): FileSource(path: path)
        case .standardInput: FileSource(standardInput: dup(0))
        case .web(let url): WebSource(url: url)
        }
    }
}
