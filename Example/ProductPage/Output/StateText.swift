/// A state as one line of text, or of JSON.
enum StateText {
    static func line(_ state: ProductPage.State) -> String {
        let text =
            switch state {
            case .start: "start"
            case .loading(_, .asked): "loading"
            case .loading(_, .slow): "still loading"
            case .loaded(let page): "loaded: \(described(page.line, page))"
            case .added(let page, let line): "added: \(described(line, page))\(objection(line, page))"
            case .removed(let page, let line): "removed: \(described(line, page))"
            case .missing(_, let line): "nothing to remove: \(line.name) is not in the cart"
            case .failed(let error, _): "error: \(error)"
            }
        return text.visible
    }

    private static func described(_ line: Cart.Line, _ page: ProductPage.Page) -> String {
        let isInView = line.id == page.line.id
        let price = isInView ? ProductText.price(page.product) : line.priceText
        return "\(line.name), \(price), cart \(page.cart.map { "\($0.count)" } ?? "not read")"
    }

    /// What speaks against ordering it.
    private static func objection(_ line: Cart.Line, _ page: ProductPage.Page) -> String {
        guard line.id == page.line.id, let availability = page.product.availability else { return "" }
        return availability.canBeOrdered ? "" : ", \(availability)"
    }

    /// One JSON object with the members `state`, `product`, `cart`, `error` and `slow`, each left out if there is
    /// none.
    static func json(_ state: ProductPage.State) -> String {
        var object = Object(state: name(state))
        object.product = state.page.map { ProductJSON($0.product) }
        object.cart = state.page?.cart.map(CartJSON.init)
        if case .failed(let error, _) = state { object.error = "\(error)" }
        if case .loading(_, .slow) = state { object.slow = true }
        return object.jsonLine
    }

    private struct Object: Encodable {
        var state: String
        var product: ProductJSON?
        var cart: CartJSON?
        var error: String?
        var slow: Bool?
    }

    private static func name(_ state: ProductPage.State) -> String {
        switch state {
        case .start: "start"
        case .loading: "loading"
        case .loaded: "loaded"
        case .added: "added"
        case .removed: "removed"
        case .missing: "missing"
        case .failed: "error"
        }
    }
}
