/// The elements of a page that are open, each with what its reader keeps for it.
///
/// End tags are left out, come too early, or match nothing; as in a browser, an element then ends where HTML
/// says, so that what is inside stays inside. Every element is opened and closed once.
struct OpenElements<Content> {
    static var voids: Set<String> {
        [
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
            "track", "wbr",
        ]
    }

    private var elements: [(name: String, content: Content)] = []
    private var places: [String: [Int]] = [:]
    private var blocks: [Int] = []

    var top: Content? { elements.last?.content }

    /// Deeper than any page goes, elements are taken for empty, as browsers do.
    var isFull: Bool { elements.count >= 5_000 }

    mutating func open(_ name: String, _ content: Content) {
        if Self.isBlock(name) { blocks.append(elements.count) }
        places[name, default: []].append(elements.count)
        elements.append((name, content))
    }

    /// What the start of an element ends: a `<li>` the one before it, a `<div>` the paragraph.
    mutating func closedByStart(of name: String) -> [Content] {
        switch name {
        case "li": close(["li"], within: ["ul", "ol", "menu"])
        case "dt", "dd": close(["dt", "dd"], within: ["dl"])
        case "option", "optgroup": close(["option"], within: ["select", "datalist"])
        case "td", "th": close(["td", "th"], within: ["tr", "table"])
        case "tr": close(["tr"], within: ["table"])
        case "tbody", "thead", "tfoot": close(["tbody", "thead", "tfoot"], within: ["table"])
        case _ where Self.isBlock(name): close(["p"], within: ["table", "td", "th", "button"])
        default: []
        }
    }

    /// What an end tag ends: nothing, where no such element is open or it would break out of another.
    mutating func closedByEnd(of name: String) -> [Content] {
        guard name != "body", name != "html", let place = places[name]?.last else { return [] }
        let bound =
            if !Self.isBlock(name) {
                blocks.last ?? -1
            } else if Self.tableParts.contains(name) {
                last(["table"]) - 1
            } else {
                last(["table", "td", "th", "caption", "template"])
            }
        return place > bound ? close(from: place) : []
    }

    /// The innermost first.
    mutating func closeAll() -> [Content] { close(from: 0) }

    private mutating func close(_ names: [String], within bounds: [String]) -> [Content] {
        let place = last(names)
        return place > last(bounds) ? close(from: place) : []
    }

    private func last(_ names: [String]) -> Int { names.compactMap { places[$0]?.last }.max() ?? -1 }

    private mutating func close(from place: Int) -> [Content] {
        var closed: [Content] = []
        while elements.count > place, let (name, content) = elements.popLast() {
            places[name]?.removeLast()
            if blocks.last == elements.count { blocks.removeLast() }
            closed.append(content)
        }
        return closed
    }

    private static var tableParts: Set<String> {
        ["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption"]
    }

    static func isBlock(_ name: String) -> Bool { blockNames.contains(name) || tableParts.contains(name) }
}

private let blockNames: Set<String> = [
    "address", "article", "aside", "blockquote", "body", "button", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "html", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "select", "summary", "template",
    "ul",
]
