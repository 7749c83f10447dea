/// The data in the markup of a page, read in one pass: its scripts, its own properties, and the items of its microdata
/// and RDFa.
struct Markup {
    /// Where the content of each `<script type="application/ld+json">` stands.
    private(set) var scripts: [Range<Int>] = []
    /// Open Graph, and the address (`canonical`) of the page.
    private(set) var page: [String: String] = [:]
    /// The first headings of the page, of which one may be the shop's, and its title last.
    private(set) var titles: [String] = []
    /// The items that are not a part of another, in the page's order, as JSON-LD would write them.
    private(set) var items: [JSON] = []

    private static let voids: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ]
    private static let strikes: Set<String> = ["del", "s", "strike"]
    private static let join = PriceText.tag.utf8.first ?? 0
    private static let maximumPrice = 1_000

    /// The properties of an item, or of an element that one may include by its id.
    private final class Properties {
        var values: [String: [JSON]] = [:]
    }

    /// An element that is open.
    private struct Scope {
        let tag: HTMLPiece
        /// The properties that it sets in the item around it, and in the elements with an id around it.
        var names: [String] = []
        var owners: [Properties] = []
        /// The owners of the properties inside it: the item, and the elements with an id in that.
        var item: Properties?
        var groups: [Properties] = []
        var isItem = false
        /// Which of `items` it is, if it is no part of another.
        var place: Int?
        /// Where its text begins.
        let start: Int
        /// The properties of an element around it that has no item yet.
        var pending: [String] = []
        var isSchema = false
    }

    private var scopes = OpenElements<Scope>()
    private var ids: [String: Properties] = [:]
    private let today: Day
    private var hasInclusions = false
    /// The text of the page, with a line break or `join` in place of each tag.
    private var text: [UInt8] = []
    /// How many values there may still be, and how much text in them: elements inside each other have it once
    /// more.
    private var (valuesLeft, textLeft) = (200_000, ProductReader.maximumBytes)
    private static let (maximumIDs, maximumGroups, maximumTitles) = (50_000, 10, 5)

    init(_ bytes: [UInt8], today: Day = Day()) {
        self.today = today
        var pieces = HTMLTokenizer(bytes)
        // A template is no part of the page, and struck text is no longer one.
        var (templates, isStruck) = (0, false)
        while let piece = pieces.next() {
            let name = piece.name
            switch piece.kind {
            case .start where name == "template": templates += 1
            case .end where name == "template": templates = max(0, templates - 1)
            case _ where templates > 0: break
            case .text: if !isStruck, let content = piece.content { text += bytes[content] }
            case .end:
                if Self.strikes.contains(name) || PlainText.breaking.contains(name) { isStruck = false }
                close(scopes.closedByEnd(of: name), name)
            case .start where name == "script" || name == "style":
                if let content = piece.content, Self.isLinkedData(piece) { scripts.append(content) }
            case .start:
                isStruck = isStruck || Self.strikes.contains(name)
                start(piece)
                if let content = piece.content { text += bytes[content] }
            }
        }
        close(scopes.closeAll(), "")
        titles += [page["og:title"], page["title"]].compactMap { $0.flatMap(PlainText.line) }
        guard hasInclusions else { return }
        var inclusion = Inclusion(groups: ids.mapValues { $0.values.mapValues(JSON.array) }, today: today)
        items = items.map { inclusion.completed($0) }
    }

    /// Parameters such as `; charset=utf-8` do not change what it is.
    private static func isLinkedData(_ tag: HTMLPiece) -> Bool {
        let type = tag["type"]?.prefix { $0 != ";" }
        return type?.filter { !$0.isWhitespace }.lowercased() == "application/ld+json"
    }

    private mutating func start(_ tag: HTMLPiece) {
        close(scopes.closedByStart(of: tag.name), tag.name)
        note(tag)
        let isVoid = scopes.isFull || Self.voids.contains(tag.name)
        let around = scopes.top
        var scope = Scope(tag: tag, start: text.count)
        scope.isSchema = tag["vocab"].map { $0.contains("schema.org") } ?? around?.isSchema ?? false
        func words(_ attribute: String) -> [String] {
            tag.words(attribute).filter { Vocabulary.isPrefixed($0) || scope.isSchema && !$0.contains(":") }
        }
        let isThing = !words("typeof").isEmpty
        // A link has an address or its content as its value, whatever else the element says.
        let links = words("rel").filter(Vocabulary.isKnown)
        let names = tag.words("itemprop") + (links.isEmpty ? words("property") : links)
        scope.names = valuesLeft > 0 ? Set(names.map(Vocabulary.name)).sorted() : []
        scope.isItem = !isVoid && (isThing || tag["itemscope"] != nil) && valuesLeft > 0
        scope.item = around?.item
        scope.groups = around?.groups ?? []
        if let id = tag["id"], ids[id] == nil, ids.count < Self.maximumIDs {
            let properties = Properties()
            ids[id] = properties
            scope.groups = scope.groups.suffix(Self.maximumGroups) + [properties]
        }
        scope.owners = scope.groups + [scope.item].compactMap { $0 }
        // Some name the property on one element and begin its item on the next.
        let things = scope.names.filter(Vocabulary.things.contains)
        scope.pending = things.isEmpty ? around?.pending ?? [] : things
        if scope.isItem { begin(&scope) }
        if !scope.names.isEmpty || scope.isItem { valuesLeft -= 1 }
        if isVoid { close([scope], nil) } else { scopes.open(tag.name, scope) }
    }

    private mutating func begin(_ scope: inout Scope) {
        if scope.names.isEmpty { scope.names = scope.pending }
        let isPart = scope.item != nil && !scope.names.isEmpty
        if !isPart {
            scope.place = items.count
            items.append(.null)
        }
        (scope.item, scope.groups, scope.pending) = (Properties(), [], [])
    }

    private mutating func close(_ closed: [Scope], _ name: String?) {
        for scope in closed {
            if scope.tag.name == "h1", titles.count < Self.maximumTitles {
                titles += [PlainText.line(text(of: scope))].compactMap { $0 }
            }
            if scope.tag.name == "title", page["title"] == nil { page["title"] = text(of: scope) }
            guard scope.isItem || !scope.names.isEmpty else { continue }
            let value = scope.isItem ? object(scope) : Self.attribute(of: scope) ?? .string(text(of: scope))
            if let place = scope.place { items[place] = value }
            for owner in scope.owners {
                for name in scope.names { owner.values[name, default: []].append(value) }
            }
        }
        if let name { text.append(PlainText.breaking.contains(name) ? 0x0A : Self.join) }
    }

    /// The text in an element: a line where the page has one, and for a price never one number out of two.
    private mutating func text(of scope: Scope) -> String {
        let isPrice = scope.names.contains { $0.lowercased().hasSuffix("price") }
        let maximum = isPrice ? Self.maximumPrice : PlainText.maximumText
        let bytes = text[scope.start...].prefix(min(textLeft, maximum))
        textLeft -= bytes.count
        guard !isPrice else {
            return PlainText.line(String(decoding: bytes, as: UTF8.self)).map(PriceText.apart) ?? ""
        }
        return String(decoding: bytes.filter { $0 != Self.join }, as: UTF8.self)
    }

    private mutating func object(_ scope: Scope) -> JSON {
        let tag = scope.tag
        var members = (scope.item?.values ?? [:]).mapValues(JSON.array)
        let types = tag.words(tag["itemtype"] == nil ? "typeof" : "itemtype")
        members["@type"] = .array(types.map(JSON.string))
        let subject = tag["typeof"].flatMap { _ in tag["resource"] ?? tag["about"] }
        members["@id"] = (tag["itemid"] ?? subject).map(JSON.string)
        // The named element may stand further down.
        if tag["itemref"] != nil {
            members[Inclusion.key] = .array(tag.words("itemref").map(JSON.string))
            hasInclusions = true
        }
        return .object(members.marked(on: today))
    }

    /// The value in the attributes of an element; `nil` where its text is the value.
    private static func attribute(of scope: Scope) -> JSON? {
        let tag = scope.tag
        if let content = tag["content"], !content.isEmpty || tag.name == "meta" { return .string(content) }
        // In RDFa, a property may name the thing that another element describes.
        if let id = tag["resource"] ?? tag["href"], scope.names.contains(where: Vocabulary.things.contains) {
            return .object(["@id": .string(id)])
        }
        let isAddress = scope.names.contains { Vocabulary.addresses.contains($0) }
        let value: String? =
            switch tag.name {
            case "meta": ""
            case "img", "source", "video", "audio", "iframe", "embed", "track":
                isAddress || tag["alt"] == nil
                    ? [tag["src"], tag["data-src"]].compactMap { $0 }.first { !$0.hasPrefix("data:") }
                    : tag["alt"]
            case "link": tag["href"] ?? tag["resource"] ?? ""
            case "data", "meter", "input": tag["value"]
            case "time": tag["datetime"]
            default: isAddress ? tag["href"] ?? tag["resource"] : nil
            }
        return value.map(JSON.string)
    }

    /// Open Graph, and what makes one of its products the page's own.
    private mutating func note(_ tag: HTMLPiece) {
        if tag.name == "meta", let content = tag["content"], !content.isEmpty {
            let name = (tag["property"] ?? tag["name"] ?? "").lowercased()
            if name.hasPrefix("og:") || name.hasPrefix("product:"), page[name] == nil { page[name] = content }
        }
        if tag.name == "link", tag["rel"]?.lowercased() == "canonical" { page["canonical"] = tag["href"] }
        if tag.name == "base", page["base"] == nil { page["base"] = tag["href"] }
    }
}
