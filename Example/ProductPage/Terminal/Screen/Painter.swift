/// Turns frames into what a terminal understands, and writes only the lines that have changed.
///
/// Every line is written at a position of its own and cleared behind its end, so nothing has to be erased
/// first and nothing flickers; terminals that can show it all at once are asked to. It is also the second gate
/// against foreign text: what it writes between its own sequences went through `String.drawable`.
struct Painter: Sendable {
    var hasColor: Bool

    /// Nothing where both frames are the same.
    ///
    /// - Parameter old: What is on the screen; `nil` where that is not known, and all is written.
    func paint(_ frame: Frame, over old: Frame?) -> String {
        let known = old?.size == frame.size ? old : nil
        let changed = frame.lines.indices.filter { known?.lines[$0] != frame.lines[$0] }
        guard !changed.isEmpty else { return "" }
        return Sequences.begin + changed.map { row in paint(frame.lines[row], row, frame.size) }.joined()
            + Sequences.end
    }

    private func paint(_ line: Line, _ row: Int, _ size: ScreenSize) -> String {
        let text = line.spans.map { span in
            let text = span.text.drawable
            guard hasColor, let look = span.ink.look else { return text }
            return "\u{1B}[\(look)m\(text)\u{1B}[0m"
        }
        // Behind a full line there is nothing to clear, and doing so would take its last character away.
        let clearing = line.width < size.columns ? "\u{1B}[K" : ""
        return "\u{1B}[\(row + 1);1H" + text.joined() + clearing
    }

    /// What a terminal is told beside the lines.
    enum Sequences {
        /// Shows what comes only when `end` is there (synchronized output); others ignore it.
        static let begin = "\u{1B}[?2026h"
        static let end = "\u{1B}[?2026l"
        /// The other screen, which leaves what was there as it was; no cursor; lines that are too long are
        /// cut and not broken; pasted text is marked as such.
        static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
        /// All of it undone.
        static let leave = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }
}

extension Ink {
    /// The numbers of "select graphic rendition": the terminal's own 8 colours, which its owner has chosen.
    fileprivate var look: String? {
        switch self {
        case .plain: nil
        case .title: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .error: "1;31"
        case .key: "36"
        }
    }
}
