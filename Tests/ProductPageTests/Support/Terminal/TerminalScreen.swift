@testable import ProductPage
@testable import ToolSupport

/// What a person sees: a terminal that understands the few sequences that the page uses, and notes every other
/// one, and what a page does not do, so that a test can say there was none. A page writes whole lines, each at its
/// place and cleared behind its end; so lines are all that it knows.
struct TerminalScreen: Sendable {
    private struct Row {
        var text = ""
        /// For each column the letter of its look.
        var looks = ""
    }

    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var strange: [String] = []
    /// How often something changed that was shown at once.
    private(set) var updates = 0
    /// How often the other screen was shown.
    private(set) var entries = 0
    /// `?1049` is the other screen, `?25` the cursor, `?7` that lines are broken, `?2004` that pastes are marked,
    /// `?2026` that what is drawn is shown at once.
    private(set) var modes: Set<String> = Self.atRest

    /// The modes of a terminal that no program has.
    static let atRest: Set = ["?25", "?7"]

    private var (cells, other, shown) = ([Row](), [Row](), [Row]())
    private var (row, otherRow) = (0, 0)
    private var look: Character = "."
    /// Whether what stood behind the line that is written has been cleared; nil where none is written.
    private var isCleared: Bool?
    private var waiting: [UInt8] = []
    private var sequence: String?

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        resize(columns: columns, rows: rows)
    }

    /// The rows without the spaces at their ends.
    var lines: [String] { shown.map { Self.trimmed($0.text, " ") } }
    var text: String { lines.joined(separator: "\n") }
    /// Bold, faint, green, yellow, red and cyan by their first letters; a point where there is no look.
    var looks: [String] { shown.map { Self.trimmed($0.looks, ".") } }

    private static func trimmed(_ text: String, _ end: Character) -> String {
        String(text.reversed().drop { $0 == end }.reversed())
    }

    /// As a terminal does that does not break lines again.
    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows, row) = (columns, rows, min(row, rows - 1))
        func resized(_ cells: [Row]) -> [Row] {
            Array((cells + Array(repeating: Row(), count: rows)).prefix(rows))
        }
        (cells, other, shown) = (resized(cells), resized(other), resized(shown))
    }

    /// A character may come in several pieces.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        waiting += bytes
        let rest = (0...3).first { String(validating: waiting.dropLast($0), as: UTF8.self) != nil }
        if rest == nil { strange.append("no UTF-8") }
        let text = String(decoding: waiting.dropLast(rest ?? 0), as: UTF8.self)
        waiting = waiting.suffix(rest ?? 0)
        for scalar in text.unicodeScalars { take(scalar) }
        if !modes.contains("?2026") { shown = cells }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if let begun = sequence {
            sequence = begun + String(scalar)
            if begun == "", scalar != "[" { strange.append("ESC \(scalar)") }
            guard begun == "" ? scalar != "[" : (0x40...0x7E).contains(scalar.value) else { return }
            sequence = nil
            if begun != "" { obey(String(begun.dropFirst()), scalar) }
            return
        }
        switch scalar.value {
        case 27: sequence = ""
        case 13: break
        case 10:
            row += 1
            if row == rows { (row, cells) = (row - 1, cells.dropFirst() + [Row()]) }
        case ..<32, 0x7F...0x9F: strange.append("control \(scalar.value)")
        default: put(scalar)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if modes.contains("?1049"), !modes.contains("?2026") { strange.append("drawn alone: \(scalar)") }
        let before = DisplayWidth.of(cells[row].text)
        cells[row].text.unicodeScalars.append(scalar)
        let width = max(0, DisplayWidth.of(cells[row].text) - before)
        cells[row].looks += String(repeating: look, count: width)
    }

    private mutating func obey(_ parameters: String, _ final: Unicode.Scalar) {
        let looks: [String: Character] = [
            "0": ".", "1": "b", "2": "f", "32": "g", "33": "y", "1;31": "r", "36": "c",
        ]
        switch final {
        case "H":
            endLine()
            row = (parameters.split(separator: ";").first.flatMap { Int($0) } ?? 0) - 1
            if !(0..<rows).contains(row) || !parameters.hasSuffix(";1") {
                strange.append("place \(parameters)")
            }
            (row, isCleared) = (max(0, min(row, rows - 1)), false)
            cells[row] = Row()
        case "K" where parameters.isEmpty: isCleared = true
        case "m": look = looks[parameters] ?? "?"
        case "h", "l": set(parameters, final == "h")
        default: strange.append("CSI \(parameters)\(final)")
        }
    }

    /// What stood behind a line that is not cleared would still be there; a full one would lose its end by it.
    private mutating func endLine() {
        let isFull = DisplayWidth.of(cells[row].text) >= columns
        if isCleared == isFull { strange.append("row \(row), full: \(isFull)") }
        isCleared = nil
    }

    private mutating func set(_ mode: String, _ isOn: Bool) {
        if !["?1049", "?25", "?7", "?2004", "?2026"].contains(mode) { strange.append("mode \(mode)") }
        if mode == "?2026", !isOn { endLine() }
        let isChanged = isOn ? modes.insert(mode).inserted : modes.remove(mode) != nil
        guard isChanged else { return }
        if mode == "?2026", !isOn { (updates, shown) = (updates + 1, cells) }
        guard mode == "?1049" else { return }
        (cells, other, row, otherRow) = (other, cells, otherRow, row)
        if isOn { (entries, cells) = (entries + 1, Array(repeating: Row(), count: rows)) }
    }
}
