/// The start of an element.
struct HTMLTag {
    /// In lower case.
    var name: String
    /// Entities decoded; the first of each name, which is the one that counts in HTML.
    fileprivate(set) var attributes: [String: String] = [:]
    /// What stands between the tags of an element whose content is no markup.
    fileprivate(set) var content: Range<Int>?

    subscript(attribute: String) -> String? { attributes[attribute] }

    /// An attribute's words, which are separated by white space.
    func words(_ attribute: String) -> [String] {
        attributes[attribute]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
}

/// Takes a web page apart, as leniently as a browser and in one pass over its bytes: what is unfinished
/// goes to the end of the page, so that no input makes it look at a byte twice.
struct HTMLTokenizer {
    enum Piece {
        case text(Range<Int>)
        case start(HTMLTag)
        case end(String)

        /// Of the element that starts or ends.
        var name: String {
            switch self {
            case .text: ""
            case .start(let tag): tag.name
            case .end(let name): name
            }
        }
    }

    private static let rawElements: Set<String> = ["script", "style", "title", "textarea"]

    private var scanner: ByteScanner

    init(_ bytes: [UInt8]) { scanner = ByteScanner(bytes) }

    var bytes: [UInt8] { scanner.bytes }

    /// The next piece of the page, or `nil` at its end. Comments and declarations are left out.
    mutating func next() -> Piece? {
        while !scanner.isAtEnd {
            let start = scanner.position
            if scanner.isAt("<!--") {
                scanner.skip(2)
                scanner.skip(behind: "-->")
            } else if scanner.isAt("<"), scanner[1].isASCIILetter {
                return .start(startTag())
            } else if scanner.isAt("</"), scanner[2].isASCIILetter {
                scanner.skip()
                return .end(tag().name)
            } else if scanner.isAt("<"), scanner[1].isOne(of: "!?/") {
                scanner.skip(behind: ">")
            } else {
                scanner.skip()
                scanner.skip { $0 != UInt8(ascii: "<") }
                return .text(start..<scanner.position)
            }
        }
        return nil
    }

    private mutating func startTag() -> HTMLTag {
        var tag = tag()
        guard Self.rawElements.contains(tag.name) else { return tag }
        let start = scanner.position
        scanner.skip(to: "</" + tag.name)
        tag.content = start..<scanner.position
        return tag
    }

    private mutating func tag() -> HTMLTag {
        scanner.skip()
        var tag = HTMLTag(name: scanner.skip { !$0.endsName }.lowercased())
        while !scanner.isAtEnd, !scanner.isAt(">") {
            if scanner.byte.endsName { scanner.skip() } else { attribute(&tag) }
        }
        scanner.skip()
        return tag
    }

    private mutating func attribute(_ tag: inout HTMLTag) {
        let name = scanner.skip { !$0.endsName && $0 != UInt8(ascii: "=") }.lowercased()
        scanner.skip(while: \.isHTMLSpace)
        let value = scanner.isAt("=") ? attributeValue() : ""
        if tag.attributes[name] == nil { tag.attributes[name] = Entities.decoded(value) }
    }

    private mutating func attributeValue() -> String {
        scanner.skip()
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
