/// Character references.
enum EntityTarget {
    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        let decoded = Entities.decoded(text)
        expect(decoded.utf8.count <= text.utf8.count, "no reference is shorter than its character")
        expect(decoded.utf8.elementsEqual(piecewise(text).utf8), "a reference ends with itself")
        for isHex in [false, true] {
            let written = text.unicodeScalars.map { reference($0, isHex: isHex) }.joined()
            let meant = String(String.UnicodeScalarView(text.unicodeScalars.map(browsers)))
            expect(Entities.decoded(written).utf8.elementsEqual(meant.utf8), "what is encoded is decoded")
        }
    }

    /// Decodes each stretch between two ampersands alone: a reference never extends into the next.
    private static func piecewise(_ text: String) -> String {
        let pieces = text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
        let rest = pieces.dropFirst().map { Entities.decoded("&" + String($0)) }
        return String(pieces[0]) + rest.joined()
    }

    private static func reference(_ scalar: Unicode.Scalar, isHex: Bool) -> String {
        isHex ? "&#x\(String(scalar.value, radix: 16));" : "&#\(scalar.value);"
    }

    /// The character of a numeric reference: one that is no text is replaced.
    private static func browsers(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.value == 0 || (0x80...0x9F).contains(scalar.value) else { return scalar }
        let reference = Entities.decoded("&#\(scalar.value);")
        expect(reference.unicodeScalars.count == 1, "a number is one character")
        return reference.unicodeScalars.first ?? scalar
    }
}
