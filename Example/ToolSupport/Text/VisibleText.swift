extension String {
    /// The text on one line, with nothing in it that a terminal would obey or that cannot be seen.
    ///
    /// Product data, file names and server messages are foreign: an escape sequence in a name could rewrite
    /// the screen, a right-to-left override could make one price look like another, and characters without
    /// a width could hide whole sentences in it. Line breaks and tabs become spaces and commands U+FFFD, so
    /// that it stays visible that something was there; characters without a width go, but for those
    /// that join emoji and the letters of some scripts.
    package var visible: String {
        guard unicodeScalars.contains(where: { $0.isCommand || $0.isInvisible || $0.isMark }) else {
            return self
        }
        var result = UnicodeScalarView()
        var previous: Unicode.Scalar?
        let scalars = withoutPiles
        for (index, scalar) in scalars.enumerated() {
            if scalar.isCommand {
                result.append(scalar.properties.isWhitespace ? " " : "\u{FFFD}")
            } else {
                let next = index + 1 < scalars.count ? scalars[index + 1] : nil
                guard !scalar.isInvisible || scalar.belongs(between: previous, and: next) else { continue }
                result.append(scalar)
            }
            previous = scalar
        }
        return String(result)
    }

    /// Without the marks that are too many for their letter. An invisible character between them is no new letter.
    private var withoutPiles: [Unicode.Scalar] {
        var marks = 0
        return unicodeScalars.filter { scalar in
            guard !scalar.isInvisible else { return true }
            marks = scalar.isMark ? marks + 1 : 0
            return marks <= Self.maximumMarks
        }
    }

    /// No writing puts more marks on a letter; a hundred of them cover the lines above and below.
    private static let maximumMarks = 8

    /// At most `count` characters, the last one an ellipsis where something was cut.
    ///
    /// A character may be made of any number of scalars, so those are bounded as well.
    package func shortened(to count: Int) -> String {
        let bound = count * 8
        guard unicodeScalars.dropFirst(bound).isEmpty else {
            return shortened(toScalars: bound).shortened(to: count)
        }
        guard let end = index(startIndex, offsetBy: count, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return self[..<index(before: end)] + "…"
    }

    /// At most `count` scalars, the last one an ellipsis where something was cut.
    package func shortened(toScalars count: Int) -> String {
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return self }
        return String(scalars[..<scalars.index(before: end)]) + "…"
    }
}

extension Unicode.Scalar {
    /// Whether text that is shown must not have it in any place.
    package var isUnsafeToShow: Bool { isCommand || isInvisible }

    /// Control characters (C0, DEL, C1), line separators, and everything that changes the direction of text.
    fileprivate var isCommand: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    /// Without a width or a shape of its own: joiners, selectors, soft hyphens, tags, fillers.
    fileprivate var isInvisible: Bool {
        value > 0x7F && (properties.isDefaultIgnorableCodePoint || value == 0x180E || value == 0x2800)
    }

    fileprivate var isMark: Bool {
        guard value > 0x2FF else { return false }
        return properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark
    }

    /// Whether the text would be another without it: emoji are put together by joiners and selectors, and
    /// Arabic and Indic letters take another form beside one.
    fileprivate func belongs(between previous: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        switch value {
        case 0xFE0E, 0xFE0F: return previous.properties.isEmoji
        case 0x200C, 0x200D: return previous.takesJoiner && next?.takesJoiner == true
        default: return false
        }
    }

    /// Emoji, and the letters of the blocks from Arabic to Sinhala.
    private var takesJoiner: Bool {
        if (0x0620...0x0DFF).contains(value) { return properties.isAlphabetic || isMark }
        return value == 0xFE0F || value > 0x7F && properties.isEmoji
    }
}
