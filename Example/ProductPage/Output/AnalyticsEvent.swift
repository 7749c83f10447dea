import Foundation
import ProductReading
import PromisedSystem

/// A user action as a line of analytics: one that has happened, never one that was only requested.
struct AnalyticsEvent: Encodable, Equatable {
    enum Name: String, Encodable {
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
    var event: Name
    /// The id of the product that it happened to.
    var product: String?
    var error: String?

    /// - Returns: nil if nothing has happened that is worth counting.
    init?(_ record: LoopRecord<ProductPage.State, ProductPage.Event>, at time: Date) {
        self.time = time.formatted(.iso8601)
        product = record.after.page?.product.id
        switch (record.outcome, record.event, record.after) {
        case (.settled, _, .failed(let reason, _)): (event, error) = (.pageError, "\(reason)")
        case (.settled, _, .added(_, let line)): (event, product) = (.addedToCart, line.product)
        case (.settled, _, .removed(_, let line)): (event, product) = (.removedFromCart, line.product)
        case (.settled, .load, .loaded): event = .productLoaded
        case (.settled, .refresh, .loaded): event = .productRefreshed
        case (.settled, .next, .loaded), (.settled, .previous, .loaded), (.settled, .show, .loaded):
            event = .productShown
        case (.cancelled, .load, _), (.cancelled, .refresh, _): event = .loadCancelled
        default: return nil
        }
    }
}
