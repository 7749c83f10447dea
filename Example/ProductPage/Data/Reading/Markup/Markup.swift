/// What a page says in its markup, read in one pass: its scripts, the items of its microdata and RDFa as
/// JSON-LD would write them, and what it says of itself.
struct Markup {
    /// Where the content of each `<script type="application/ld+json">` stands.
    private(set) var scripts: [Range<Int>] = []
    /// Open Graph, the address (`canonical`) and the heading (`h1`) of the page.
    private(set) var page: [String: String] = [:]
    /// The elements that items include by `itemref`.
    private var included: Set<String> = []
    private var shared: [String: Node] = [:]
    private var inclusions = 0

    private var tokens: HTMLTokenizer
    private var elements = OpenElements<Scope>()
    private var items: [Item] = []
    private var roots: [(order: Int, JSON)] = []
    private var itemCount = 0
    private var captures = 0
    private var text: [UInt8] = []

    /// What is open around an element, and what has to be done when it ends.
    private struct Scope {
        /// The places of the items that `itemprop` and `property` belong to.
        var microdata: Int?
        var rdfa: Int?
        var isSchema = false
        /// Whether it is an item, and the id by which others include what is in it.
        var opens = false
        var shares: String?
        /// Where in the text the value of `names` begins.
        var start: Int?
        var names: [String] = []
        var owners: [Int] = []
        var isHeading = false

        /// What an element in this one begins with.
        var inside: Scope { Scope(microdata: microdata, rdfa: rdfa, isSchema: isSchema) }
    }

    private struct Item {
        var order: Int
        var members: Node = [:]
    }

    private static let maximumDepth = 60
    private static let maximumItems = 100_000
    private static let maximumInclusions = 50

    /// The items of the page, in its order.
    static func read(_ bytes: [UInt8]) -> (Markup, items: [JSON]) {
        var markup = Markup(tokens: HTMLTokenizer(bytes))
        markup.run()
        if !markup.included.isEmpty {
            // Once for what the ids stand for, and once to put it where it belongs.
            var sharing = Markup(included: markup.included, tokens: HTMLTokenizer(bytes))
            sharing.run()
            markup = Markup(shared: sharing.shared, tokens: HTMLTokenizer(bytes))
            markup.run()
        }
        return (markup, markup.roots.sorted { $0.order < $1.order }.map(\.1))
    }

    private init(included: Set<String> = [], shared: [String: Node] = [:], tokens: HTMLTokenizer) {
        self.included = included
        self.shared = shared
        self.tokens = tokens
    }

    private mutating func run() {
        let isSharing = !included.isEmpty
        while let token = tokens.next() {
            switch token {
            case .text(let range): if captures > 0 { text += tokens.bytes[range] }
            case .tag(let tag) where tag.isEnd: end(elements.closedByEnd(of: tag.name), tag.name)
            case .tag(let tag): start(tag, isSharing)
            case .raw(let tag, let content):
                if tag.name == "script", isLinkedData(tag) { scripts.append(content) }
                guard tag.name != "script", tag.name != "style" else { continue }
                start(tag, isSharing)
                if captures > 0 { text += tokens.bytes[content] }
            }
        }
        end(elements.closeAll(), "")
    }

    /// Parameters such as `; charset=utf-8` do not change what it is.
    private func isLinkedData(_ tag: HTMLTokenizer.Tag) -> Bool {
        let type = tag.attributes["type"]?.prefix { $0 != ";" }
        return type?.filter { !$0.isWhitespace }.lowercased() == "application/ld+json"
    }
}

extension Markup {
    private mutating func start(_ tag: HTMLTokenizer.Tag, _ isSharing: Bool) {
        end(elements.closedByStart(of: tag.name), tag.name)
        let attributes = tag.attributes
        let isVoid = elements.isFull || OpenElements<Scope>.voids.contains(tag.name)
        var scope = elements.top?.inside ?? Scope()
        if !attributes.isEmpty {
            note(tag, attributes)
            if let vocab = attributes["vocab"] { scope.isSchema = vocab.contains("schema.org") }
            if isSharing, let id = attributes["id"], included.contains(id) { share(id, &scope) }
            name(&scope, attributes)
            if !isVoid, items.count < Self.maximumDepth { openItem(attributes, &scope) }
            addAttribute(of: tag.name, attributes, &scope)
        }
        guard !isVoid else { return end([scope], "") }
        scope.isHeading = tag.name == "h1" && page["h1"] == nil
        if scope.isHeading || !scope.opens && !scope.owners.isEmpty, captures < Self.maximumDepth {
            captures += 1
            scope.start = text.count
        }
        elements.open(tag.name, scope)
    }

    /// What the element says of which items.
    private func name(_ scope: inout Scope, _ attributes: [String: String]) {
        let microdata = Self.names(attributes["itemprop"])
        let rdfa = rdfaNames(attributes, scope)
        if let owner = scope.microdata, !microdata.isEmpty { scope.owners = [owner] }
        if let owner = scope.rdfa, !rdfa.isEmpty, scope.owners != [owner] { scope.owners.append(owner) }
        scope.names = Array(Set(microdata + rdfa)).sorted()
    }

    private mutating func share(_ id: String, _ scope: inout Scope) {
        guard items.count < Self.maximumDepth else { return }
        (scope.shares, scope.microdata) = (id, items.count)
        items.append(Item(order: itemCount))
    }

    private mutating func addAttribute(
        of tag: String, _ attributes: [String: String], _ scope: inout Scope
    ) {
        guard !scope.opens, !scope.owners.isEmpty,
            let value = Self.value(tag, attributes, scope.names)
        else { return }
        add(.string(value), scope)
        scope.owners = []
    }

    /// Open Graph, and what makes one of its products the page's own.
    private mutating func note(_ tag: HTMLTokenizer.Tag, _ attributes: [String: String]) {
        if tag.name == "meta", let content = attributes["content"], !content.isEmpty {
            let name = (attributes["property"] ?? attributes["name"] ?? "").lowercased()
            if name.hasPrefix("og:") || name.hasPrefix("product:"), page[name] == nil { page[name] = content }
        }
        if tag.name == "link", attributes["rel"]?.lowercased() == "canonical" {
            page["canonical"] = attributes["href"]
        }
    }

    private static func names(_ given: String?) -> [String] {
        given?.split(whereSeparator: \.isWhitespace).map { Vocabulary.name(String($0)) } ?? []
    }

    /// Those of schema.org: `name` under its `vocab`, `schema:name`, the whole address.
    private func rdfaNames(_ attributes: [String: String], _ scope: Scope) -> [String] {
        (attributes["property"]?.split(whereSeparator: \.isWhitespace) ?? []).filter {
            $0.contains("schema.org/") || $0.hasPrefix("schema:") || scope.isSchema && !$0.contains(":")
        }.map { Vocabulary.name(String($0)) }
    }

    private mutating func openItem(_ attributes: [String: String], _ scope: inout Scope) {
        let isMicrodata = attributes["itemscope"] != nil
        let type = attributes["typeof"].flatMap { scope.isSchema || $0.contains("schema") ? $0 : nil }
        guard isMicrodata || type != nil, itemCount < Self.maximumItems else { return }
        let types = (attributes["itemtype"] ?? type ?? "").split(whereSeparator: \.isWhitespace)
        var members: Node = ["@type": .array(types.map { .string(String($0)) })]
        let subject = type == nil ? nil : attributes["resource"] ?? attributes["about"]
        members["@id"] = (attributes["itemid"] ?? subject).map(JSON.string)
        for id in attributes["itemref"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? [] {
            included.insert(id)
            inclusions += 1
            guard inclusions <= Self.maximumInclusions else { break }
            members.merge(shared[id] ?? [:]) { first, _ in first }
        }
        scope.opens = true
        if isMicrodata { scope.microdata = items.count }
        if type != nil { scope.rdfa = items.count }
        items.append(Item(order: itemCount, members: members))
        itemCount += 1
    }
}

extension Markup {
    private mutating func end(_ scopes: [Scope], _ name: String) {
        // A line where the page has one, for a description; and never one number out of two.
        if captures > 0 { text.append(PlainText.breaking.contains(name) ? 0x0A : 0x1F) }
        for scope in scopes {
            if let start = scope.start { capture(scope, from: start) }
            if scope.opens, let item = items.popLast() {
                if scope.owners.isEmpty {
                    roots.append((item.order, .object(item.members)))
                } else {
                    add(.object(item.members), scope)
                }
            }
            if let id = scope.shares { shared[id] = items.popLast()?.members }
        }
    }

    private mutating func capture(_ scope: Scope, from start: Int) {
        captures -= 1
        let value = text[start...].prefix(PlainText.maximumParagraphs * 10)
        let isPrice = scope.names.contains { $0.lowercased().hasSuffix("price") }
        let plain = isPrice ? value.map { $0 == 0x1F ? 0x20 : $0 } : value.filter { $0 != 0x1F }
        let string = String(decoding: plain, as: UTF8.self)
        if scope.isHeading { page["h1"] = page["h1"] ?? PlainText.line(string) }
        add(.string(string), scope)
        if captures == 0 { text = [] }
    }

    private mutating func add(_ value: JSON, _ scope: Scope) {
        for owner in scope.owners where items.indices.contains(owner) {
            for name in scope.names {
                guard case .array(var values) = items[owner].members.removeValue(forKey: name) ?? .array([])
                else { continue }
                values.append(value)
                items[owner].members[name] = .array(values)
            }
        }
    }

    /// What an element says by its attributes; `nil` where its text is the value.
    private static func value(_ tag: String, _ given: [String: String], _ names: [String]) -> String? {
        if let content = given["content"], !content.isEmpty || tag == "meta" { return content }
        let isAddress = names.contains { Vocabulary.addresses.contains($0) }
        switch tag {
        case "meta": return ""
        case "img", "source", "video", "audio", "iframe", "embed", "track":
            if !isAddress, let words = given["alt"] { return words }
            return [given["src"], given["data-src"]].compactMap { $0 }.first { !$0.hasPrefix("data:") }
        case "link": return given["href"] ?? given["resource"] ?? ""
        case "data", "meter", "input": return given["value"]
        case "time": return given["datetime"]
        default: return isAddress ? given["href"] ?? given["resource"] : nil
        }
    }
}
