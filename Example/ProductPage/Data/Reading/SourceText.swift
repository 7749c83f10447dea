/// Turns the bytes of a file or an answer into clean UTF-8.
enum SourceText {
    /// A byte-order mark decides and is removed; without one it is UTF-8. What is malformed becomes U+FFFD:
    /// one bad character in a description is no reason to show no product.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let text: String
        if bytes.starts(with: [0xFE, 0xFF]) {
            text = utf16(bytes.dropFirst(2), highByteFirst: true)
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            text = utf16(bytes.dropFirst(2), highByteFirst: false)
        } else {
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            text = String(decoding: bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0), as: UTF8.self)
        }
        return Array(text.utf8)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, highByteFirst: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var first: UInt8?
        for byte in bytes {
            guard let high = first else {
                first = byte
                continue
            }
            units.append(
                highByteFirst ? UInt16(high) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(high))
            first = nil
        }
        return String(decoding: units, as: UTF16.self)
    }
}
