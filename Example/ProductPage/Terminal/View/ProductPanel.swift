import ProductCommands
import ProductReading
import ToolSupport

extension TerminalView {
    /// The product in view.
    var productPanel: [Line] {
        guard let page = state.page else { return Line.wrapped("Product page", to: width, .title) }
        let (product, source) = (page.product, page.catalogue.source)
        let place = "\(page.index + 1) of \(page.catalogue.products.count)"
        let head = Line("\(place) · \(source)", .faint)
        // An address that has no room beside the place comes after the facts, whole.
        let isShort = head.width <= width
        let facts: [(label: String, text: String?, style: Style)] = [
            ("Brand", product.brand, .plain),
            ("Price", ProductText.price(product), .title),
            ("Rating", product.rating.map { "\($0)" }, .plain),
            (
                "Availability", product.availability.map { "\($0)" },
                page.soldOut(page.line) == nil ? .good : .warning
            ),
            ("Source", isShort ? nil : source, .plain),
        ]
        var lines = [isShort ? head : Line(place, .faint)]
        lines += Line.wrapped(product.name, to: width, .title) + gap
        for case (let label, let text?, let style) in facts {
            lines += Line.wrapped(
                text, to: width, style, after: Line(label + ":", .faint), indent: indent(14))
        }
        let paragraphs = (product.description ?? "").split(whereSeparator: \.isNewline)
        return lines + gap + paragraphs.flatMap { Line.wrapped(String($0), to: width) }
    }

    /// Every key and what it does, on a screen of the customary size.
    var helpPanel: [Line] {
        [Line("Keys", .title)]
            + KeyCommand.allCases.flatMap { command in
                let keys = Line(command.keys.joined(separator: " "), .key)
                return Line.wrapped(command.row.purpose, to: width, after: keys, indent: indent(16))
            }
    }
}
