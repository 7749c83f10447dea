/// Walks over Swift code, and skips its comments and string literals.
struct Scanner {
    private let text: Substring.UTF8View
    private(set) var position: String.Index

    init(_ text: Substring) {
        self.text = text.utf8
        position = text.startIndex
    }

    /// The next character of the code, with its place; nil at the end.
    mutating func next() -> (index: String.Index, character: Character)? {
        while position < text.endIndex {
            if isAt("//") {
                position = text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            } else if isAt("\"") || isAt("#\"") {
                skipString()
            } else {
                defer { position = text.index(after: position) }
                return (position, Character(Unicode.Scalar(text[position])))
            }
        }
        return nil
    }

    /// Goes behind the bracket that closes the one before the position, and returns the place of the closing one.
    mutating func skipToClosing() -> String.Index? {
        var depth = 1
        while let (index, character) = next() {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private func isAt(_ expected: String) -> Bool { text[position...].starts(with: expected.utf8) }

    private mutating func skip(_ count: Int) {
        position = text.index(position, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
    }

    /// Skips a string literal, with one number sign or none.
    private mutating func skipString() {
        let pound = isAt("#") ? "#" : ""
        skip(pound.count)
        let quotes = isAt("\"\"\"") ? "\"\"\"" : "\""
        skip(quotes.count)
        while position < text.endIndex {
            if isAt(quotes + pound) { return skip(quotes.count + pound.count) }
            if isAt("\\" + pound + "(") {
                skip(pound.count + 2)
                _ = skipToClosing()
            } else {
                skip(isAt("\\" + pound) ? pound.count + 2 : 1)
            }
        }
    }
}
