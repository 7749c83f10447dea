/// Goes through bytes from one place to the next, and never back.
struct ByteScanner {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// The byte that comes next; zero at the end.
    var byte: UInt8 { self[0] }
    var isAtEnd: Bool { position >= end }

    subscript(offset: Int) -> UInt8 { position + offset < end ? bytes[position + offset] : 0 }

    /// Whether `mark`, which is ASCII in lower case, comes next in any case.
    func isAt(_ mark: String) -> Bool {
        guard byte == mark.utf8.first else { return false }
        return bytes[position..<end].prefix(mark.utf8.count).map(\.lowercasedASCII).elementsEqual(mark.utf8)
    }

    mutating func skip(_ count: Int = 1) { position = min(position + count, end) }

    /// Whether `mark` came next, and was skipped.
    mutating func skipped(_ mark: String) -> Bool {
        guard isAt(mark) else { return false }
        skip(mark.utf8.count)
        return true
    }

    /// The skipped bytes, as text.
    @discardableResult mutating func skip(while condition: (UInt8) -> Bool) -> String {
        let start = position
        while position < end, condition(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func skip(to mark: String) {
        while position < end, !isAt(mark) { position += 1 }
    }

    mutating func skip(behind mark: String) {
        skip(to: mark)
        skip(mark.utf8.count)
    }
}

extension UInt8 {
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 || self == 0x0C }

    var isASCIILetter: Bool { (0x61...0x7A).contains(lowercasedASCII) }

    fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// Whether it is one of the characters of `set`, which are ASCII.
    func isOne(of set: String) -> Bool { set.utf8.contains(self) }
}
