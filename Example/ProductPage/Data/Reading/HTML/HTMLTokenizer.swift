/// Takes a web page apart, as leniently as a browser and in one pass over its bytes: what is unfinished
/// goes to the end of the page, so that no input makes it look at a byte twice.
struct HTMLTokenizer {
    struct Tag {
        /// In lower case.
        var name: String
        var isEnd: Bool
        /// Those that say something to a reader of products, entities decoded; the first of each name, which
        /// is the one that counts in HTML.
        var attributes: [String: String] = [:]
    }

    enum Token {
        case text(Range<Int>)
        case tag(Tag)
        /// What stands between a raw element's tags.
        case raw(Tag, content: Range<Int>)
    }

    private static let rawElements: Set<String> = ["script", "style", "title", "textarea"]
    private static let telling: Set<String> = [
        "itemprop", "itemscope", "itemtype", "itemid", "itemref", "id", "property", "typeof", "vocab",
        "resource", "about", "content", "href", "src", "data-src", "alt", "value", "datetime", "name", "rel",
        "type", "charset", "http-equiv",
    ]

    let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next piece of the page, or `nil` at its end. Comments and declarations are left out.
    mutating func next() -> Token? {
        while let first = byte() {
            guard first == UInt8(ascii: "<"), let mark = byte(1),
                mark.isASCIILetter || "!?/".utf8.contains(mark)
            else {
                let start = position
                position += 1
                skip { $0 != UInt8(ascii: "<") }
                return .text(start..<position)
            }
            let isEnd = mark == UInt8(ascii: "/")
            guard byte(isEnd ? 2 : 1)?.isASCIILetter == true else {
                skip(to: matches("<!--", at: position) ? "-->" : ">", from: position + 2)
                continue
            }
            let tag = tag(isEnd: isEnd)
            guard !isEnd, Self.rawElements.contains(tag.name) else { return .tag(tag) }
            return .raw(tag, content: content(of: tag.name))
        }
        return nil
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while let byte = byte(), condition(byte) { position += 1 }
    }

    /// Behind the next `mark`, or at the end of the page.
    private mutating func skip(to mark: String, from start: Int) {
        position = min(start, bytes.count)
        while position < bytes.count, !matches(mark, at: position) { position += 1 }
        position = min(position + mark.utf8.count, bytes.count)
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    private mutating func tag(isEnd: Bool) -> Tag {
        position += isEnd ? 2 : 1
        let start = position
        skip { !$0.endsName }
        var tag = Tag(name: text(from: start).lowercased(), isEnd: isEnd)
        while let byte = byte(), byte != UInt8(ascii: ">") {
            if byte.endsName { position += 1 } else { attribute(&tag) }
        }
        position = min(position + 1, bytes.count)
        return tag
    }

    private mutating func attribute(_ tag: inout Tag) {
        let start = position
        position += 1
        skip { !$0.endsName && $0 != UInt8(ascii: "=") }
        let name = text(from: start).lowercased()
        skip(while: \.isHTMLSpace)
        var value = ""
        if byte() == UInt8(ascii: "=") {
            position += 1
            skip(while: \.isHTMLSpace)
            value = attributeValue()
        }
        guard Self.telling.contains(name), tag.attributes[name] == nil else { return }
        tag.attributes[name] = Entities.decoded(value)
    }

    private mutating func attributeValue() -> String {
        let quote = byte().flatMap { "\"'".utf8.contains($0) ? $0 : nil }
        if quote != nil { position += 1 }
        let start = position
        skip { byte in quote.map { byte != $0 } ?? !(byte.isHTMLSpace || byte == UInt8(ascii: ">")) }
        defer { if quote != nil { position = min(position + 1, bytes.count) } }
        return text(from: start)
    }

    /// Up to the element's end tag, which is left for the next token.
    private mutating func content(of name: String) -> Range<Int> {
        let start = position
        let end = "</" + name
        while position < bytes.count {
            if matches(end, at: position), byte(end.utf8.count)?.endsName ?? true { break }
            position += 1
        }
        return start..<position
    }

    /// Whether `mark`, in lower-case ASCII and not beginning with a letter, stands at `index` in any case.
    private func matches(_ mark: String, at index: Int) -> Bool {
        guard index < bytes.count, bytes[index] == mark.utf8.first else { return false }
        return bytes[index...].prefix(mark.utf8.count).map(\.lowercasedASCII).elementsEqual(mark.utf8)
    }
}

extension UInt8 {
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 || self == 0x0C }

    fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(lowercasedASCII) }

    fileprivate var endsName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }

    fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
