import ProductReading
import ToolSupport

/// A state as one line of text, or of JSON.
enum StateText {
    static func line(_ state: ProductPage.State) -> String { words(state).line.visible }

    /// One JSON object with the members `state`, `product`, `cart`, `error` and `slow`, each left out if there is
    /// none.
    static func json(_ state: ProductPage.State) -> String {
        var object = StateJSON(state: words(state).name)
        object.product = state.page.map { ProductJSON($0.product) }
        object.cart = state.page?.cart.map { CartJSON(count: $0.count, lines: $0.lines) }
        if case .failed(let error, _) = state { object.error = "\(error)" }
        if case .loading(_, .slow) = state { object.slow = true }
        return object.jsonLine
    }

    private struct StateJSON: Encodable {
        var state: String
        var product: ProductJSON?
        var cart: CartJSON?
        var error: String?
        var slow: Bool?
    }

    private static func words(_ state: ProductPage.State) -> (name: String, line: String) {
        switch state {
        case .start: ("start", "start")
        case .loading(_, .started): ("loading", "loading")
        case .loading(_, .slow): ("loading", "still loading")
        case .loaded(let page): ("loaded", "loaded: \(described(page.line, page))")
        case .added(let page, let line): ("added", "added: \(described(line, page))\(soldOut(line, page))")
        case .removed(let page, let line): ("removed", "removed: \(described(line, page))")
        case .missing(_, let line): ("missing", "nothing to remove: \(line.name) is not in the cart")
        case .failed(let error, _): ("error", "error: \(error)")
        }
    }

    private static func described(_ line: Cart.Line, _ page: ProductPage.Page) -> String {
        let isInView = line.id == page.line.id
        let price = isInView ? ProductText.price(page.product) : line.priceText
        return "\(line.name), \(price), cart \(page.cart.map { "\($0.count)" } ?? "not read")"
    }

    private static func soldOut(_ line: Cart.Line, _ page: ProductPage.Page) -> String {
        page.soldOut(line).map { ", \($0)" } ?? ""
    }
}

/// The cart in the lines of a script.
private struct CartJSON: Encodable {
    var count: Int
    var lines: [Cart.Line]
}

extension ProductPage.Page {
    /// The availability of the line's product, if it is in view and cannot be ordered.
    func soldOut(_ line: Cart.Line) -> Availability? {
        guard line.id == self.line.id, let availability = product.availability else { return nil }
        return availability.canBeOrdered ? nil : availability
    }
}
