/// How many columns of a terminal a text takes.
///
/// A terminal draws one thing for one character: a letter with its accents, a flag, a family of
/// emoji joined to one. Terminals disagree about the rarest of them, so the `Painter` begins each line at a
/// position of its own: a column too many or too few never moves the next line.
package enum DisplayWidth {
    package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        if character.utf8.count == 1 { return 1 }
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        // Variation selector 16 asks for the coloured, wide picture: `❤️`, `1️⃣`.
        if first.properties.isEmoji, scalars.contains("\u{FE0F}") { return 2 }
        // Joined characters take the place of the first.
        if scalars.contains("\u{200D}"), of(first) == 2 { return 2 }
        return min(2, scalars.reduce(0) { $0 + of($1) })
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        // Emoji are asked of the standard library, which knows the new ones.
        if value >= 0x1100, wide.contains(where: { $0.contains(value) }) { return 2 }
        if value >= 0x1100, scalar.properties.isEmojiPresentation { return 2 }
        // The vowels and finals of Korean syllables written in parts, drawn into their first consonant.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return [.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory) ? 0 : 1
    }

    /// Where Unicode's `EastAsianWidth` says wide or fullwidth, by blocks, also where nothing is assigned yet.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
