import PromisedSystem

extension Effects {
    /// The real ones: the disk, the network, and the bundled catalogue, which pretends to be a slow shop.
    ///
    /// - Parameters:
    ///   - disk: Where the cart and what is remembered are read and written. That may take a while, as when
    ///     another program has the cart, and whoever draws the page and hears the keys must not wait for it.
    ///   - notice: Told what the user should know though nothing has failed: one line.
    static func live(
        _ options: Options, loader: SourceLoader = .live,
        disk: any SerialScheduler = .serial("product-page.disk"),
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
            remembered: { Promise(on: disk) { _ in loading?.remembered() } },
            choose: { try options.product.map($0.index(of:)) ?? 0 },
            cart: { Promise(on: disk) { _ in try store.load() } },
            changeCart: { change in
                let changed = Promise(on: disk) { try store.change(unless: $0, change) }
                // A shop answers before the cart changes; a file or a web page has no say in it.
                return options.source == nil ? shop.answer {}.flatMap { changed } : changed
            }
        )
    }
}
