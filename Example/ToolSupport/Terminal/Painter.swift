/// Turns lines into what a terminal understands, and writes only those that have changed.
///
/// Every line is written at a position of its own and cleared behind its end, so nothing has to be erased
/// first and nothing flickers; terminals that can show it all at once are asked to.
package struct Painter: Sendable {
    let hasColor: Bool

    package init(hasColor: Bool) { self.hasColor = hasColor }

    /// Nothing where both are the same.
    ///
    /// - Parameter old: The lines on the screen; `nil` where they are not known, and all is written.
    package func paint(_ lines: [Line], over old: [Line]?, columns: Int) -> String {
        let changed = lines.indices.filter { row in old.map { $0[row] != lines[row] } ?? true }
        let texts = changed.map { row in
            // Behind a full line there is nothing to clear, and doing so would take its last character away.
            "\u{1B}[\(row + 1);1H" + (hasColor ? lines[row].styled : lines[row].text)
                + (lines[row].width < columns ? "\u{1B}[K" : "")
        }
        // Synchronized output: the terminal shows the texts all at once. Terminals without it ignore the commands.
        return texts.isEmpty ? "" : "\u{1B}[?2026h" + texts.joined() + "\u{1B}[?2026l"
    }

    /// The other screen, which leaves the first one as it was; no cursor; lines that are too long are
    /// cut and not broken; pasted text is marked as such.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
    /// All of it undone. It is in memory from the start, for a handler of signals.
    static let leave: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}
