/// What is worth counting about a shown state: its kind, the product in view, and what went wrong.
struct Tracked: Sendable, Equatable {
    enum Event: String, Sendable {
        case pageShown = "page_shown"
        case pageLoading = "page_loading"
        case pageSlow = "page_slow"
        case productLoaded = "product_loaded"
        case addedToCart = "added_to_cart"
        case removedFromCart = "removed_from_cart"
        case pageError = "page_error"
    }

    var event: Event
    /// The id of the product in view; none while something loads.
    var product: String?
    var error: String?

    init(_ state: ProductPage.State) {
        product = state.page?.product.id
        switch state {
        case .start: event = .pageShown
        case .loading(_, let wait):
            event = wait == .slow ? .pageSlow : .pageLoading
            product = nil
        case .loaded: event = .productLoaded
        case .added: event = .addedToCart
        case .removed: event = .removedFromCart
        case .failed(let reason, _):
            event = .pageError
            error = "\(reason)"
        }
    }

    /// The keys `event`, `product` and `error`, each left out where there is none.
    var json: JSON {
        var members: [String: JSON] = ["event": .string(event.rawValue)]
        members["product"] = product.map(JSON.string)
        members["error"] = error.map(JSON.string)
        return .object(members)
    }
}
