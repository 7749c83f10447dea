/// The product in view, as lines.
enum ProductPanel {
    /// Wider lines are hard to read.
    static let widestText = 100
    /// Nobody reads more on a page; `--json` has it all.
    static let longestText = 10_000

    static func lines(_ state: ProductPage.State, _ columns: Int) -> [Line] {
        guard let page = state.page else { return [Line("Product page", .title)] }
        let width = min(columns, widestText)
        let product = page.product
        let place = "\(page.index + 1) of \(page.catalogue.products.count) · \(page.catalogue.source)"
        var lines = [Line(place.cut.truncated(to: width), .faint)]
        lines += product.name.cut.wrapped(to: width).map { Line($0, .title) }
        lines.append(Line())
        for fact in facts(product) { lines += self.lines(fact, width) }
        let paragraphs = paragraphs(product).flatMap { $0.wrapped(to: width).map { Line($0) } }
        return paragraphs.isEmpty ? lines : lines + [Line()] + paragraphs
    }

    private struct Fact {
        var label: String
        var text: String
        var ink = Ink.plain
    }

    private static func facts(_ product: Product) -> [Fact] {
        var facts: [Fact] = []
        if let brand = product.brand { facts.append(Fact(label: "Brand", text: brand)) }
        facts.append(Fact(label: "Price", text: ProductText.price(product), ink: .title))
        if let rating = product.rating { facts.append(Fact(label: "Rating", text: "\(rating)")) }
        if let availability = product.availability {
            facts.append(
                Fact(
                    label: "Availability", text: "\(availability)",
                    ink: availability.canBeOrdered ? .good : .warning))
        }
        return facts
    }

    /// The label in a column of its own where there is room for one.
    private static func lines(_ fact: Fact, _ width: Int) -> [Line] {
        let column = width >= 40 ? 14 : 2
        let label = fact.label + ":"
        let gap = max(1, column - label.count)
        let isBeside = label.count < column
        let text = fact.text.cut.wrapped(to: isBeside ? width - column : width - 2)
        var lines: [Line] = []
        if isBeside || text.count == 1 && label.count + 1 + DisplayWidth.of(text[0]) <= width {
            let first = Line(label + String(repeating: " ", count: gap), .faint)
            lines = [first.adding(text.first ?? "", fact.ink)]
        } else {
            lines = [Line(label, .faint)]
        }
        let indent = String(repeating: " ", count: column)
        return lines + text.dropFirst(lines[0].spans.count - 1).map { Line(indent).adding($0, fact.ink) }
    }

    private static func paragraphs(_ product: Product) -> [String] {
        guard let description = product.description else { return [] }
        return description.shortened(to: longestText).split(whereSeparator: \.isNewline)
            .map { String($0).drawable }
    }
}

extension String {
    /// As it may be drawn, and no longer than anybody reads.
    var cut: String { shortened(to: ProductPanel.longestText).drawable }
}
