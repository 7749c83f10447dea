/// A piece of a web page: a text, or the start or the end of an element.
struct HTMLPiece {
    enum Kind { case text, start, end }

    var kind: Kind
    /// Of the element, in lower case; empty for a text.
    var name = ""
    /// Entities decoded; the first of each name, which is the one that counts in HTML.
    fileprivate var attributes: [String: String] = [:]
    /// The text, or what stands between the tags of an element whose content is no markup.
    fileprivate(set) var content: Range<Int>?

    subscript(attribute: String) -> String? { attributes[attribute] }

    /// An attribute's words, which are separated by white space.
    func words(_ attribute: String) -> [String] {
        attributes[attribute]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
}

/// Takes a web page apart, as leniently as a browser and in one pass over its bytes: an unfinished part
/// extends to the end of the page, so that no input makes it look at a byte twice.
struct HTMLTokenizer {
    private static let rawElements: Set<String> = ["script", "style", "title", "textarea"]

    private var scanner: ByteScanner

    init(_ bytes: [UInt8]) { scanner = ByteScanner(bytes) }

    var bytes: [UInt8] { scanner.bytes }

    /// The next piece of the page, or `nil` at its end. Comments and declarations are left out.
    mutating func next() -> HTMLPiece? {
        while !scanner.isAtEnd {
            let start = scanner.position
            if scanner.isAt("<!--") {
                scanner.skip(2)
                scanner.skip(behind: "-->")
            } else if scanner.isAt("<"), scanner[1].isASCIILetter {
                return startTag()
            } else if scanner.isAt("</"), scanner[2].isASCIILetter {
                scanner.skip()
                return tag(.end)
            } else if scanner.isAt("<"), scanner[1].isOne(of: "!?/") {
                scanner.skip(behind: ">")
            } else {
                scanner.skip()
                scanner.skip { $0 != UInt8(ascii: "<") }
                return HTMLPiece(kind: .text, content: start..<scanner.position)
            }
        }
        return nil
    }

    private mutating func startTag() -> HTMLPiece {
        var tag = tag(.start)
        guard Self.rawElements.contains(tag.name) else { return tag }
        let start = scanner.position
        scanner.skip(to: "</" + tag.name)
        tag.content = start..<scanner.position
        return tag
    }

    private mutating func tag(_ kind: HTMLPiece.Kind) -> HTMLPiece {
        scanner.skip()
        var tag = HTMLPiece(kind: kind, name: scanner.skip { !$0.endsName }.lowercased())
        while !scanner.isAtEnd, !scanner.isAt(">") {
            if scanner.byte.endsName {
                scanner.skip()
                continue
            }
            let name = scanner.skip { !$0.endsName && $0 != UInt8(ascii: "=") }.lowercased()
            scanner.skip(while: \.isHTMLSpace)
            let value = scanner.skipped("=") ? attributeValue() : ""
            if tag.attributes[name] == nil { tag.attributes[name] = Entities.decoded(value) }
        }
        scanner.skip()
        return tag
    }

    private mutating func attributeValue() -> String {
        scanner.skip(while: \.isHTMLSpace)
        let quote = scanner.byte
        guard quote.isOne(of: "\"'") else {
            return scanner.skip { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") }
        }
        scanner.skip()
        defer { scanner.skip() }
        return scanner.skip { $0 != quote }
    }
}

extension UInt8 {
    fileprivate var endsName: Bool { isHTMLSpace || isOne(of: "/>") }
}
