/// Splits a web page into text and tags, in one pass and without building a tree.
///
/// It follows the HTML standard where pages rely on it: comments end late, quoted attributes may hold `>`,
/// and what stands inside `script`, `style`, `title` and `textarea` is not markup. Whatever does not end
/// goes to the end of the page, so that no input makes it look at a byte twice.
struct HTMLTokenizer {
    enum Token {
        case text(Range<Int>)
        case tag(HTMLTag)
        /// What stands between a raw element's tags.
        case raw(HTMLTag, content: Range<Int>)
    }

    private static let rawElements: Set<String> = ["script", "style", "title", "textarea"]

    /// More than any page gives a tag; what comes after them is passed over.
    private static let maximumAttributes = 100

    let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next piece of the page, or `nil` at its end. Comments and declarations are left out.
    mutating func next() -> Token? {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<"), let second = byte(at: position + 1) else {
                return .text(text())
            }
            switch second {
            case UInt8(ascii: "!"):
                skipDeclaration()
            case UInt8(ascii: "?"):
                position = after(">", from: position)
            case UInt8(ascii: "/") where byte(at: position + 2)?.isASCIILetter == true:
                return .tag(tag(isEnd: true))
            case UInt8(ascii: "/"):
                position = after(">", from: position)
            case _ where second.isASCIILetter:
                let tag = tag(isEnd: false)
                guard Self.rawElements.contains(tag.name) else { return .tag(tag) }
                return .raw(tag, content: content(of: tag.name))
            default:
                return .text(text())
            }
        }
        return nil
    }
}

extension HTMLTokenizer {
    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func text() -> Range<Int> {
        let start = position
        position += 1
        while let byte = byte(at: position), byte != UInt8(ascii: "<") { position += 1 }
        return start..<position
    }

    private mutating func skipDeclaration() {
        if matches("<!-->", at: position) || matches("<!--->", at: position) {
            position = after(">", from: position)
        } else if matches("<!--", at: position) {
            position = after("-->", from: position + 4)
        } else {
            position = after(">", from: position)
        }
    }

    private mutating func tag(isEnd: Bool) -> HTMLTag {
        position += isEnd ? 2 : 1
        let start = position
        while let byte = byte(at: position), !byte.endsTagName { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        var attributes: [HTMLTag.Attribute] = []
        while let byte = byte(at: position), byte != UInt8(ascii: ">") {
            if byte.isHTMLSpace || byte == UInt8(ascii: "/") {
                position += 1
            } else {
                let attribute = attribute()
                if attributes.count < Self.maximumAttributes { attributes.append(attribute) }
            }
        }
        position = min(position + 1, bytes.count)
        return HTMLTag(name: name, isEnd: isEnd, attributes: attributes)
    }

    private mutating func attribute() -> HTMLTag.Attribute {
        let nameStart = position
        position += 1
        while let byte = byte(at: position), !byte.endsTagName, byte != UInt8(ascii: "=") { position += 1 }
        let name = nameStart..<position
        skipSpace()
        guard byte(at: position) == UInt8(ascii: "=") else { return .init(name: name, value: nil) }
        position += 1
        skipSpace()
        return .init(name: name, value: attributeValue())
    }

    private mutating func attributeValue() -> Range<Int> {
        var start = position
        if let quote = byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            start += 1
            position = start
            while let byte = byte(at: position), byte != quote { position += 1 }
            defer { position = min(position + 1, bytes.count) }
            return start..<position
        }
        while let byte = byte(at: position), !byte.isHTMLSpace, byte != UInt8(ascii: ">") { position += 1 }
        return start..<position
    }

    /// Up to the element's end tag, which is left for the next token.
    private mutating func content(of name: String) -> Range<Int> {
        let start = position
        let closing = "</" + name
        while position < bytes.count {
            if matches(closing, at: position), byte(at: position + closing.utf8.count)?.endsTagName ?? true {
                break
            }
            position += 1
        }
        return start..<position
    }

    private mutating func skipSpace() {
        while let byte = byte(at: position), byte.isHTMLSpace { position += 1 }
    }

    /// Behind the next `mark`, or at the end of the page.
    private func after(_ mark: String, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if matches(mark, at: index) { return index + mark.utf8.count }
            index += 1
        }
        return bytes.count
    }

    /// Whether `mark`, in lower-case ASCII, stands at `index` in any case.
    private func matches(_ mark: String, at index: Int) -> Bool {
        var index = index
        for wanted in mark.utf8 {
            guard let byte = byte(at: index), byte.lowercasedASCII == wanted else { return false }
            index += 1
        }
        return true
    }
}
