/// What a page says in its markup, read in one pass: its scripts, what it says of itself, and the elements
/// of its microdata and RDFa.
struct Markup {
    /// An element that has a part in an item, or may be included by one.
    struct Element {
        var tag: HTMLTag
        /// What it says of its owner, the item around it.
        var names: [String] = []
        var owner: Int?
        var isItem = false
        /// Where its text stands in that of the page.
        var text = 0..<0
        /// Behind the last element in it.
        var end = 0
    }

    /// Where the content of each `<script type="application/ld+json">` stands.
    private(set) var scripts: [Range<Int>] = []
    /// Open Graph, the address (`canonical`) and the heading (`h1`) of the page.
    private(set) var page: [String: String] = [:]
    private(set) var elements: [Element] = []
    /// The text of the page, with a line break or this mark wherever there was a tag.
    private(set) var text: [UInt8] = []
    static let join: UInt8 = 0x1F

    private static let voids: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track",
        "wbr",
    ]
    private static let maximumElements = 200_000
    /// How deep elements may be inside each other whose text is their value: each takes it once more.
    private static let maximumNesting = 10

    /// What is open around an element.
    private struct Scope {
        /// The element itself, if it was kept.
        var element: Int?
        var item: Int?
        var isSchema = false
        var nesting = 0
        /// What an RDFa link around it says: the next item is its value.
        var link: [String] = []
    }

    /// A template is no part of the page, and what is struck through no longer is.
    private var templates = 0
    private var isStruck = false
    private static let strikes: Set<String> = ["del", "s", "strike"]

    private var open = OpenElements<Scope>()

    init(_ bytes: [UInt8]) {
        var pieces = HTMLTokenizer(bytes)
        while let piece = pieces.next() {
            if templates > 0 || Self.isTemplate(piece) {
                count(piece)
                continue
            }
            switch piece {
            case .text(let range): if !isStruck { text += bytes[range] }
            case .end(let name):
                if Self.strikes.contains(name) || PlainText.breaking.contains(name) { isStruck = false }
                close(open.closedByEnd(of: name), name)
            case .start(let tag) where tag.name == "script" || tag.name == "style":
                if let content = tag.content, Self.isLinkedData(tag) { scripts.append(content) }
            case .start(let tag):
                isStruck = isStruck || Self.strikes.contains(tag.name)
                start(tag)
                if let content = tag.content { text += bytes[content] }
            }
        }
        close(open.closeAll(), "")
    }

    private static func isTemplate(_ piece: HTMLTokenizer.Piece) -> Bool {
        if case .start(let tag) = piece { tag.name == "template" } else { false }
    }

    private mutating func count(_ piece: HTMLTokenizer.Piece) {
        if Self.isTemplate(piece) { templates += 1 }
        if case .end("template") = piece { templates -= 1 }
    }

    /// Parameters such as `; charset=utf-8` do not change what it is.
    private static func isLinkedData(_ tag: HTMLTag) -> Bool {
        let type = tag["type"]?.prefix { $0 != ";" }
        return type?.filter { !$0.isWhitespace }.lowercased() == "application/ld+json"
    }

    private mutating func start(_ tag: HTMLTag) {
        close(open.closedByStart(of: tag.name), tag.name)
        note(tag)
        let isVoid = open.isFull || Self.voids.contains(tag.name)
        var scope = open.top ?? Scope()
        scope.element = nil
        if let vocab = tag["vocab"] { scope.isSchema = vocab.contains("schema.org") }
        if let element = element(tag, in: scope, isVoid: isVoid), elements.count < Self.maximumElements {
            scope.element = elements.count
            if element.isItem { scope.item = elements.count } else { scope.nesting += 1 }
            if element.isItem { scope.link = [] }
            elements.append(element)
        } else {
            scope.link += Self.links(tag, in: scope)
        }
        if !isVoid { open.open(tag.name, scope) }
    }

    private func element(_ tag: HTMLTag, in scope: Scope, isVoid: Bool) -> Element? {
        let isThing = tag.words("typeof").contains {
            Vocabulary.isPrefixed($0) || scope.isSchema && !$0.contains(":")
        }
        var properties = tag.words("property").filter {
            Vocabulary.isPrefixed($0) || scope.isSchema && !$0.contains(":")
        }
        let links = Self.links(tag, in: scope)
        // A link with a type has that thing as its value, or else the address; without either, what is in it.
        if isThing || tag["href"] != nil || tag["resource"] != nil, !links.isEmpty { properties = links }
        if isThing, properties.isEmpty { properties = scope.link }
        let names = Set((tag.words("itemprop") + properties).map(Vocabulary.name)).sorted()
        let isItem = !isVoid && (isThing || tag["itemscope"] != nil)
        guard isItem || !names.isEmpty || tag["id"] != nil || tag.name == "h1" else { return nil }
        let range = text.count..<text.count
        return Element(
            tag: tag, names: names, owner: scope.item, isItem: isItem, text: range, end: elements.count + 1)
    }

    /// The properties of schema.org that a link stands for.
    private static func links(_ tag: HTMLTag, in scope: Scope) -> [String] {
        tag.words("rel").filter {
            Vocabulary.isKnown($0) && (Vocabulary.isPrefixed($0) || scope.isSchema && !$0.contains(":"))
        }
    }

    private mutating func close(_ scopes: [Scope], _ name: String) {
        for scope in scopes {
            guard let place = scope.element else { continue }
            elements[place].end = elements.count
            guard scope.nesting <= Self.maximumNesting else { continue }
            elements[place].text = elements[place].text.lowerBound..<text.count
            if elements[place].tag.name == "h1", page["h1"] == nil {
                page["h1"] = PlainText.line(text(of: elements[place]))
            }
        }
        text.append(PlainText.breaking.contains(name) ? 0x0A : Self.join)
    }

    /// Open Graph, and what makes one of its products the page's own.
    private mutating func note(_ tag: HTMLTag) {
        if tag.name == "meta", let content = tag["content"], !content.isEmpty {
            let name = (tag["property"] ?? tag["name"] ?? "").lowercased()
            if name.hasPrefix("og:") || name.hasPrefix("product:"), page[name] == nil { page[name] = content }
        }
        if tag.name == "link", tag["rel"]?.lowercased() == "canonical" { page["canonical"] = tag["href"] }
    }
}

extension Markup {
    /// The text in an element: a line where the page has one, for a description; and never one number out of
    /// two.
    func text(of element: Element) -> String {
        let bytes = text[element.text].prefix(PlainText.maximumParagraphs * PlainText.wrapping)
        let isPrice = element.names.contains { $0.lowercased().hasSuffix("price") }
        let plain = isPrice ? bytes.map { $0 == Self.join ? 0x20 : $0 } : bytes.filter { $0 != Self.join }
        return String(decoding: plain, as: UTF8.self)
    }
}
