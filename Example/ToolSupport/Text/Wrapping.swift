extension String {
    /// The text in lines of at most `columns`, broken at spaces, between wide characters, which are written
    /// without spaces, and inside a word only where it is longer than a line. Nothing is cut.
    package func wrapped(to columns: Int) -> [String] {
        var (lines, rest) = ([String](), self[...])
        while let start = rest.firstIndex(where: { !$0.isBreakingSpace }) {
            rest = rest[start...]
            let end = rest.endOfLine(columns)
            lines.append(String(rest[..<end].reversed().drop { $0.isBreakingSpace }.reversed()))
            rest = rest[end...]
        }
        return lines
    }
}

extension String {
    /// Followed by spaces up to `count` characters.
    package func padded(to count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - self.count))
    }
}

extension Substring {
    /// Where a line that begins here ends: at the last place to break that is not too late, or where it is full.
    fileprivate func endOfLine(_ columns: Int) -> Index {
        var (width, lastBreak, previous) = (0, startIndex, Character("\u{A0}"))
        for index in indices {
            let character = self[index]
            if character.mayBegin(after: previous) { lastBreak = index }
            width += DisplayWidth.of(character)
            if width > columns, !character.isBreakingSpace, index > startIndex {
                return lastBreak > startIndex ? lastBreak : index
            }
            previous = character
        }
        return endIndex
    }
}

extension Character {
    fileprivate var isBreakingSpace: Bool { isWhitespace && !"\u{A0}\u{202F}\u{2007}".contains(self) }

    /// A line breaks before a wide character and behind it, but never before what closes a sentence.
    fileprivate func mayBegin(after previous: Character) -> Bool {
        if isBreakingSpace || previous.isBreakingSpace { return true }
        return (DisplayWidth.of(self) == 2 || DisplayWidth.of(previous) == 2)
            && !"、。，．：；！？）」』】〉》…ー々,.:;!?)”’".contains(self)
    }
}
