/// What a page says in its markup, read in one pass: its scripts, what it says of itself, and the elements
/// of its microdata and RDFa.
struct Markup {
    /// An element that is an item or a property of one, or may be included by one.
    final class Element {
        let tag: HTMLTag
        /// What it says of the item around it.
        let names: [String]
        let isItem: Bool
        /// Those that are next to it in depth.
        fileprivate(set) var parts: [Element] = []
        /// Its text, a line where the page has one.
        fileprivate(set) var text = ""

        fileprivate init(_ tag: HTMLTag, names: [String], isItem: Bool) {
            (self.tag, self.names, self.isItem) = (tag, names, isItem)
        }
    }

    /// Where the content of each `<script type="application/ld+json">` stands.
    private(set) var scripts: [Range<Int>] = []
    /// Open Graph, the address (`canonical`) and the heading (`h1`) of the page.
    private(set) var page: [String: String] = [:]
    /// The page itself, with the elements in it.
    let root = Element(HTMLTag(name: ""), names: [], isItem: false)
    /// The first element of each id.
    private(set) var ids: [String: Element] = [:]

    private static let voids: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ]
    private static let strikes: Set<String> = ["del", "s", "strike"]
    private static let join: UInt8 = 0x1F

    /// What is open around an element.
    private struct Scope {
        /// The innermost element that was kept.
        var element: Element
        /// Where its text begins, if it ends with this scope.
        var start: Int?
        var isSchema = false
    }

    private var open = OpenElements<Scope>()
    /// The text of the page, with a line break or `join` wherever there was a tag.
    private var text: [UInt8] = []
    /// How many elements may still be kept, and how much text: elements inside each other have it once more.
    private var elementsLeft = 200_000
    private var textLeft = ProductReader.maximumBytes

    init(_ bytes: [UInt8]) {
        var pieces = HTMLTokenizer(bytes)
        // A template is no part of the page, and what is struck through no longer is.
        var (templates, isStruck) = (0, false)
        while let piece = pieces.next() {
            switch piece {
            case .start(let tag) where tag.name == "template": templates += 1
            case .end("template"): templates = max(0, templates - 1)
            case _ where templates > 0: break
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

    /// Parameters such as `; charset=utf-8` do not change what it is.
    private static func isLinkedData(_ tag: HTMLTag) -> Bool {
        let type = tag["type"]?.prefix { $0 != ";" }
        return type?.filter { !$0.isWhitespace }.lowercased() == "application/ld+json"
    }

    private mutating func start(_ tag: HTMLTag) {
        close(open.closedByStart(of: tag.name), tag.name)
        note(tag)
        let isVoid = open.isFull || Self.voids.contains(tag.name)
        var scope = open.top ?? Scope(element: root)
        scope.start = nil
        if let vocab = tag["vocab"] { scope.isSchema = vocab.contains("schema.org") }
        if elementsLeft > 0, let element = Self.element(tag, isSchema: scope.isSchema, isVoid: isVoid) {
            elementsLeft -= 1
            scope.element.parts.append(element)
            if let id = tag["id"], ids[id] == nil { ids[id] = element }
            (scope.element, scope.start) = (element, text.count)
        }
        if !isVoid { open.open(tag.name, scope) }
    }

    private static func element(_ tag: HTMLTag, isSchema: Bool, isVoid: Bool) -> Element? {
        func words(_ attribute: String) -> [String] {
            tag.words(attribute).filter { Vocabulary.isPrefixed($0) || isSchema && !$0.contains(":") }
        }
        let isThing = !words("typeof").isEmpty
        // A link has an address or what is in it as its value, whatever else the element says.
        let links = words("rel").filter(Vocabulary.isKnown)
        let names = tag.words("itemprop") + (links.isEmpty ? words("property") : links)
        let isItem = !isVoid && (isThing || tag["itemscope"] != nil)
        guard isItem || !names.isEmpty || tag["id"] != nil || tag.name == "h1" else { return nil }
        return Element(tag, names: Set(names.map(Vocabulary.name)).sorted(), isItem: isItem)
    }

    private mutating func close(_ scopes: [Scope], _ name: String) {
        for scope in scopes {
            guard let start = scope.start else { continue }
            let element = scope.element
            let isHeading = element.tag.name == "h1" && page["h1"] == nil
            if isHeading || !element.isItem && !element.names.isEmpty {
                element.text = text(from: start, isPrice: element.names.contains(where: Self.isPrice))
            }
            if isHeading { page["h1"] = PlainText.line(element.text) }
        }
        text.append(PlainText.breaking.contains(name) ? 0x0A : Self.join)
    }

    private static func isPrice(_ name: String) -> Bool { name.lowercased().hasSuffix("price") }

    /// The text since then: for a price never one number out of two.
    private mutating func text(from start: Int, isPrice: Bool) -> String {
        let bytes = text[start...].prefix(min(textLeft, PlainText.maximumText))
        textLeft -= bytes.count
        let plain = isPrice ? bytes.map { $0 == Self.join ? 0x20 : $0 } : bytes.filter { $0 != Self.join }
        return String(decoding: plain, as: UTF8.self)
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
