import PromisedSystem

extension Effects {
    /// The real ones: the disk, the network, and the bundled catalogue, which pretends to be a slow shop.
    ///
    /// - Parameter notice: Told what the user should know though nothing has failed: one line.
    static func live(
        _ options: Options, loader: SourceLoader = .live,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) -> Effects {
        let store = CartStore(path: options.cart ?? CartStore.defaultPath(), notice: notice)
        let shop = Shop(latency: options.latency, failRate: options.failRate, seed: options.seed)
        let loading = options.source.map { CatalogueLoading(source: $0, loader: loader) }
        let name = options.source?.name ?? BundledCatalogue.name
        return Effects(
            catalogue: {
                let catalogue =
                    loading.map { loading in Promise { try await loading.fresh() } }
                    ?? shop.answer { try BundledCatalogue.catalogue() }
                return catalogue.limited(to: options.timeout, source: name)
            },
            remembered: { Promise { $0.fulfill(loading?.remembered()) } },
            choose: { try options.product.map($0.index(of:)) ?? 0 },
            cart: { Promise { $0.fulfill(try store.load()) } },
            changeCart: { change in
                let changed = Promise<Cart> { $0.fulfill(try store.change(change)) }
                // A shop answers before the cart changes; a file or a web page has no say in it.
                return options.source == nil ? shop.answer {}.flatMap { changed } : changed
            }
        )
    }
}
