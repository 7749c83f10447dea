extension String {
    /// The text on one line, with nothing in it that a terminal would obey.
    ///
    /// Product data, file names and server messages are foreign: an escape sequence in a name could rewrite
    /// the screen, a right-to-left override could make one price look like another. Line breaks and tabs
    /// become spaces, other such characters U+FFFD, so that it stays visible that something was there.
    var visible: String {
        guard unicodeScalars.contains(where: \.isUnsafeToShow) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            result.append(
                !scalar.isUnsafeToShow ? scalar : scalar.properties.isWhitespace ? " " : "\u{FFFD}")
        }
        return String(result)
    }

    /// At most `count` characters, the last one an ellipsis where something was cut.
    func shortened(to count: Int) -> String {
        guard let end = index(startIndex, offsetBy: count, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return self[..<index(before: end)] + "…"
    }
}

extension Unicode.Scalar {
    /// Control characters (C0, DEL, C1), line separators, and everything that changes the direction of text.
    fileprivate var isUnsafeToShow: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
