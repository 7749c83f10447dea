import Foundation
import PromisedSystem

/// What the user did, as a line of analytics: what has happened, never what was asked for.
struct Tracked: Encodable, Equatable {
    enum Event: String, Encodable {
        case productLoaded = "product_loaded"
        case productRefreshed = "product_refreshed"
        case productShown = "product_shown"
        case addedToCart = "added_to_cart"
        case removedFromCart = "removed_from_cart"
        case loadCancelled = "load_cancelled"
        case pageError = "page_error"
    }

    /// ISO 8601, in UTC.
    var time: String
    var event: Event
    /// The id of the product that it happened to.
    var product: String?
    var error: String?

    /// - Returns: nil if nothing has happened that is worth counting.
    init?(_ record: LoopRecord<ProductPage.State, ProductPage.Event>, at time: Date) {
        self.time = time.formatted(.iso8601)
        switch (record.outcome, record.event, record.after) {
        case (.settled, _, .failed(let reason, let page)):
            (event, product, error) = (.pageError, page?.product.id, "\(reason)")
        case (.settled, _, .added(_, let line)): (event, product) = (.addedToCart, line.id.product)
        case (.settled, _, .removed(_, let line)): (event, product) = (.removedFromCart, line.id.product)
        case (.settled, .load, .loaded(let page)): (event, product) = (.productLoaded, page.product.id)
        case (.settled, .refresh, .loaded(let page)): (event, product) = (.productRefreshed, page.product.id)
        case (.settled, .next, .loaded(let page)), (.settled, .previous, .loaded(let page)):
            (event, product) = (.productShown, page.product.id)
        case (.cancelled, .load, let state), (.cancelled, .refresh, let state):
            (event, product) = (.loadCancelled, state.page?.product.id)
        default: return nil
        }
    }
}
