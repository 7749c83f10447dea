/// The part of a panel that the screen has room for.
struct Window: Sendable, Equatable {
    let lines: Int
    let rows: Int
    private let wanted: Int

    init(lines: Int, rows: Int, scroll: Int) {
        (self.lines, self.rows, wanted) = (lines, max(0, rows), scroll)
    }

    /// Rows for lines: where not all have room, the last row says so.
    private var room: Int { lines > rows && rows > 1 ? rows - 1 : rows }

    /// How far it can be scrolled.
    var range: Int { max(0, lines - room) }

    /// How many lines are above the screen.
    var scroll: Int { min(wanted, range) }

    /// The lines on the screen.
    var visible: Range<Int> { scroll..<min(lines, scroll + room) }

    /// How far a screen scrolls: the last line stays in sight.
    var step: Int { max(1, room - 1) }

    /// That there is more, and where; nothing where all is there.
    var position: String? {
        guard room < rows else { return nil }
        let below = lines - visible.upperBound
        let arrows = (scroll > 0 ? "↑" : "") + (below > 0 ? "↓" : "")
        return "\(arrows) \(below == 0 ? "the end" : below == 1 ? "1 more line" : "\(below) more lines")"
    }
}
