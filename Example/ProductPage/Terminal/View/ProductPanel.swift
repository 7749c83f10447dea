extension TerminalView {
    /// The product in view.
    var productPanel: [Line] {
        guard let page = state.page else { return Line.wrapped("Product page", to: width, .title) }
        let (product, source) = (page.product, page.catalogue.source)
        let place = "\(page.index + 1) of \(page.catalogue.products.count)"
        let isOrderable = product.availability?.canBeOrdered != false
        // An address that has no room beside the place comes after the facts, whole.
        let isShort = Line("\(place) · \(source)").width <= width
        let facts: [(label: String, text: String?, ink: Ink)] = [
            ("Brand", product.brand, .plain),
            ("Price", ProductText.price(product), .title),
            ("Rating", product.rating.map { "\($0)" }, .plain),
            ("Availability", product.availability.map { "\($0)" }, isOrderable ? .good : .warning),
            ("Source", isShort ? nil : source, .plain),
        ]
        var lines = [Line(isShort ? "\(place) · \(source)" : place, .faint)]
        lines += Line.wrapped(product.name, to: width, .title) + gap
        for case (let label, let text?, let ink) in facts {
            let head = Line(label + ":", .faint)
            lines += Line.wrapped(text, to: width, ink, after: head, indent: isWide ? 14 : 2)
        }
        let text = (product.description ?? "").shortened(to: Line.longestText)
        let paragraphs = text.split(whereSeparator: \.isNewline)
        return lines + gap + paragraphs.flatMap { Line.wrapped(String($0), to: width) }
    }

    /// Every key and what it does.
    var helpPanel: [Line] {
        [Line("Keys", .title)] + gap
            + KeyCommand.allCases.flatMap { command in
                let keys = Line(command.keys.joined(separator: " "), .key)
                return Line.wrapped(command.row.purpose, to: width, after: keys, indent: isWide ? 16 : 2)
            }
    }
}
