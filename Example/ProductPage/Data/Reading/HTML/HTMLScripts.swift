/// Finds the JSON-LD in a web page.
enum HTMLScripts {
    /// Where the content of each `<script type="application/ld+json">` stands, in the page's order, with
    /// what pages wrap around it (comments, CDATA, a final semicolon) left out.
    static func linkedData(in bytes: [UInt8]) -> [Range<Int>] {
        var tokens = HTMLTokenizer(bytes)
        var scripts: [Range<Int>] = []
        while let token = tokens.next() {
            guard case .raw(let tag, let content) = token, tag.name == "script" else { continue }
            if isLinkedData(tag, in: bytes) { scripts.append(unwrapped(content, in: bytes)) }
        }
        return scripts
    }

    /// Parameters such as `; charset=utf-8` do not change what it is.
    private static func isLinkedData(_ tag: HTMLTag, in bytes: [UInt8]) -> Bool {
        guard let type = tag.value(of: "type", in: bytes) else { return false }
        let essence = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        return essence.lowercased() == "application/ld+json"
    }

    private static let openings = ["<!--", "<![CDATA[", "//", "/*", "*/"]
    private static let closings = ["-->", "]]>", "//", "/*", "*/", ";"]

    /// Takes wrappers off one by one: `//<![CDATA[ … //]]>`, `/*<![CDATA[*/ … /*]]>*/`, `<!-- … //-->`.
    private static func unwrapped(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var content = bytes[range].trimmed
        while let mark = openings.first(where: { content.starts(with: $0.utf8) }) {
            content = content.dropFirst(mark.utf8.count).trimmed
        }
        while let mark = closings.first(where: { content.reversed().starts(with: $0.utf8.reversed()) }) {
            content = content.dropLast(mark.utf8.count).trimmed
        }
        return content.startIndex..<content.endIndex
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        let start = drop(while: \.isHTMLSpace)
        let end = start.lastIndex { !$0.isHTMLSpace }.map { $0 + 1 } ?? start.startIndex
        return start[start.startIndex..<end]
    }
}

extension HTMLScripts {
    /// Whether a text that does not begin like a page is one all the same: some begin with a stray word.
    static func isPage(_ bytes: [UInt8]) -> Bool {
        var tokens = HTMLTokenizer(bytes)
        while let token = tokens.next() {
            switch token {
            case .raw: return true
            case .tag(let tag) where ["html", "head", "body"].contains(tag.name): return true
            case .tag, .text: continue
            }
        }
        return false
    }
}
