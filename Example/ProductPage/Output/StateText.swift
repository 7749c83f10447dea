/// A state as one line of text, or of JSON. The page is a function of its state: drawing twice is harmless.
enum StateText {
    static func line(_ state: ProductPage.State) -> String {
        let text =
            switch state {
            case .start: "start"
            case .loading(_, .asked): "loading"
            case .loading(_, .slow): "still loading"
            case .loaded(let page): "loaded: \(product(page))"
            case .added(let page): "added: \(product(page))"
            case .removed(let page): "removed: \(product(page))"
            case .failed(let error, _): "error: \(error)"
            }
        return text.visible
    }

    private static func product(_ page: ProductPage.Page) -> String {
        "\(page.product.name), \(ProductText.price(page.product)), cart \(page.cart.count)"
    }

    /// One JSON object a state, with the same keys in the same order everywhere: `state`, `product`, `cart`,
    /// `error` and `slow`, each left out where there is none.
    static func json(_ state: ProductPage.State) -> JSON {
        var members: [String: JSON] = ["state": .string(name(state))]
        if let page = state.page {
            members["product"] = page.product.json
            members["cart"] = page.cart.json
        }
        if case .failed(let error, _) = state { members["error"] = .string("\(error)") }
        if case .loading(_, .slow) = state { members["slow"] = .bool(true) }
        return .object(members)
    }

    private static func name(_ state: ProductPage.State) -> String {
        switch state {
        case .start: "start"
        case .loading: "loading"
        case .loaded: "loaded"
        case .added: "added"
        case .removed: "removed"
        case .failed: "error"
        }
    }
}
