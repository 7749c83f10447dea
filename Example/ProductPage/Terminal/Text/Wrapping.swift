extension String {
    /// The text in lines of at most `columns`, broken at spaces, between wide characters, which are written
    /// without spaces, and inside a word only where it is longer than a line.
    func wrapped(to columns: Int) -> [String] {
        var wrapping = Wrapping(columns: Swift.max(1, columns))
        for character in self { wrapping.take(character) }
        return wrapping.end()
    }

    /// As much of the text as fits into `columns`, with an ellipsis where something was cut.
    func truncated(to columns: Int) -> String {
        var width = 0
        var kept = startIndex
        for index in indices {
            width += DisplayWidth.of(self[index])
            if width > columns { return columns < 1 ? "" : self[..<kept] + "…" }
            // One column is kept free for the ellipsis until it is known that none is needed.
            if width < columns { kept = self.index(after: index) }
        }
        return self
    }
}

/// The lines so far, and the word that does not have its place yet.
private struct Wrapping {
    let columns: Int
    private var lines: [String] = []
    private var line = Piece()
    private var gap = Piece()
    private var word = Piece()

    struct Piece {
        var text = ""
        var width = 0

        mutating func append(_ other: Piece) {
            text += other.text
            width += other.width
        }
    }

    init(columns: Int) { self.columns = columns }

    mutating func take(_ character: Character) {
        let width = DisplayWidth.of(character)
        if character.isBreakingSpace {
            placeWord()
            gap.append(Piece(text: String(character), width: width))
            return
        }
        // A line breaks before a wide character and behind it, but never before what closes a sentence.
        let breaksHere = width == 2 || word.text.last.map { DisplayWidth.of($0) == 2 } == true
        if breaksHere, !character.staysWithTheLast { placeWord() }
        if word.width + width > columns { placeWord() }
        word.append(Piece(text: String(character), width: width))
    }

    mutating func end() -> [String] {
        placeWord()
        if !line.text.isEmpty { lines.append(line.text) }
        return lines
    }

    private mutating func placeWord() {
        guard !word.text.isEmpty else { return }
        if line.width + gap.width + word.width > columns, !line.text.isEmpty {
            lines.append(line.text)
            line = Piece()
        } else if !line.text.isEmpty {
            line.append(gap)
        }
        gap = Piece()
        line.append(word)
        word = Piece()
    }
}

extension Character {
    fileprivate var isBreakingSpace: Bool {
        isWhitespace && self != "\u{A0}" && self != "\u{202F}" && self != "\u{2007}"
    }

    fileprivate var staysWithTheLast: Bool { "、。，．：；！？）」』】〉》…ー々,.:;!?)”’".contains(self) }
}
