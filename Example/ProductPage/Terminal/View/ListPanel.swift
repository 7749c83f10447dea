import ProductReading
import ToolSupport

extension TerminalView {
    /// More than a person scrolls through; each frame makes all of them. A search finds the others.
    private static let maximumRows = 500

    /// The products of the list: those with the query in their name or id, whatever its case and accents.
    var listed: [Product] {
        state.page?.catalogue.products(with: query, limit: Self.maximumRows) ?? []
    }

    /// The ids of the rows of the cart or of the list.
    var rowIDs: [[String]] { panel == .cart ? cart.lines.map(\.id) : listed.map { [$0.id] } }

    /// The cart or the list in full: a title, each of its rows, and the end.
    var rowParts: [[Line]] { panel == .cart ? cartParts : listParts }

    private var listParts: [[Line]] {
        let products = listed
        let title = query.map { "Find: \($0)▏" } ?? "Products"
        let rows = products.map { product in
            let isSelected = selected == [product.id]
            let facts = [ProductText.price(product)] + (product.availability.map { ["\($0)"] } ?? [])
            let style = isSelected ? Style.title : .plain
            return Line.wrapped(
                "\(product.name): \(facts.joined(separator: ", "))", to: width, style,
                after: Line(isSelected ? ">" : " ", style), indent: 2)
        }
        var end = ""
        if products.isEmpty { end = query == nil ? "Nothing is loaded." : "No product matches." }
        if products.count == Self.maximumRows { end = "These are the first ones. Press / to find others." }
        return [Line.wrapped(title, to: width, .title) + gap] + rows
            + [end.isEmpty ? [] : gap + Line.wrapped(end, to: width, .faint)]
    }
}
