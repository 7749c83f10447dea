/// The elements of a page that are open, each with what its reader keeps for it.
///
/// End tags are left out, come too early, or match nothing; as in a browser, an element then ends where HTML
/// says, so that the content stays inside.
struct OpenElements<Content> {
    private var elements: [(name: String, content: Content)] = []
    /// How many of each name are open: others need no search.
    private var counts: [String: Int] = [:]

    var top: Content? { elements.last?.content }

    /// Deeper than this, elements are taken for empty, as browsers do.
    var isFull: Bool { elements.count >= 512 }

    mutating func open(_ name: String, _ content: Content) {
        elements.append((name, content))
        counts[name, default: 0] += 1
    }

    /// The elements that the start of one ends, the innermost first: a `<li>` the one before it, a `<div>` the
    /// paragraph.
    mutating func closedByStart(of name: String) -> [Content] {
        if let (names, bounds) = siblings[name] { return close(names, within: bounds) }
        return blocks.contains(name) ? close(["p"], within: ["table", "td", "th", "button"]) : []
    }

    /// The elements that an end tag ends: none, where no such element is open or it would break out of another.
    mutating func closedByEnd(of name: String) -> [Content] {
        if name == "body" || name == "html" { return [] }
        if tableParts.contains(name) { return close([name], within: ["table"]) }
        return close([name], within: blocks.contains(name) ? cells : blocks)
    }

    mutating func closeAll() -> [Content] { close(from: 0) }

    private mutating func close(_ names: Set<String>, within bounds: Set<String>) -> [Content] {
        guard names.contains(where: { counts[$0, default: 0] > 0 }) else { return [] }
        let place = elements.lastIndex { names.contains($0.name) || bounds.contains($0.name) }
        guard let place, names.contains(elements[place].name) else { return [] }
        return close(from: place)
    }

    private mutating func close(from place: Int) -> [Content] {
        let closed = elements[place...].reversed()
        for element in closed { counts[element.name, default: 0] -= 1 }
        elements.removeSubrange(place...)
        return closed.map(\.content)
    }
}

private let cells: Set<String> = ["table", "td", "th", "caption", "template"]
private let tableParts: Set<String> = ["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption"]
private let blocks = tableParts.union([
    "address", "article", "aside", "blockquote", "body", "button", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "html", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "select", "summary", "template",
    "ul",
])

/// Which elements the start of one ends, and which ones it does not look beyond.
private let siblings: [String: (Set<String>, within: Set<String>)] = [
    "li": (["li"], ["ul", "ol", "menu"]), "dt": (["dt", "dd"], ["dl"]), "dd": (["dt", "dd"], ["dl"]),
    "td": (["td", "th"], ["tr", "table"]), "th": (["td", "th"], ["tr", "table"]), "tr": (["tr"], ["table"]),
    "tbody": (["tbody", "thead"], ["table"]), "tfoot": (["tbody", "thead"], ["table"]),
]
