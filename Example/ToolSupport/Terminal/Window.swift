/// The lines of a longer text that are on the screen.
package struct Window {
    let lines: [Line]
    let rows: Int
    let top: Int
    let width: Int

    /// - Parameters:
    ///   - lines: The whole text.
    ///   - rows: The height of the window.
    ///   - top: The number of lines above the window, where the text is long enough.
    ///   - width: The columns for the row about the hidden lines.
    package init(lines: [Line], rows: Int, top: Int, width: Int) {
        (self.lines, self.rows, self.top, self.width) = (lines, rows, top, width)
    }

    /// Rows for lines: where not all have room, the last row says so.
    package var room: Int { lines.count > rows && rows > 1 ? rows - 1 : rows }
    /// How far it can be scrolled.
    package var range: Int { max(0, lines.count - room) }
    /// How many lines are above the screen.
    package var scroll: Int { min(top, range) }

    /// With a word that there is more, and where.
    package var visible: [Line] {
        let (shown, below) = (Array(lines.dropFirst(scroll).prefix(room)), range - scroll)
        if room == rows { return shown }
        let arrows = (scroll > 0 ? "↑" : "") + (below > 0 ? "↓" : "")
        let rest = below == 0 ? "the end" : "\(below) more line" + (below == 1 ? "" : "s")
        return shown + Line.wrapped("\(arrows) \(rest)", to: width, .faint).prefix(1)
    }
}
