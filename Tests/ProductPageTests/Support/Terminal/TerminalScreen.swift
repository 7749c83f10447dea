@testable import ProductPage

/// What a person sees: a terminal that understands the few sequences that the page uses, and notes every
/// other one, so that a test can say there was none.
struct TerminalScreen: Sendable {
    struct Cell: Sendable, Equatable {
        var text = " "
        var look = ""
        /// Covered by the wide character before it.
        var isCovered = false
    }

    private(set) var columns: Int
    private(set) var rows: Int
    /// Sequences that it does not know, and characters that no page may send.
    private(set) var strange: [String] = []
    /// How often something changed that was shown at once.
    private(set) var updates = 0
    private(set) var isAlternate = false
    /// How often the other screen was shown.
    private(set) var entries = 0
    private(set) var showsCursor = true
    private(set) var marksPastes = false
    private(set) var breaksLines = true

    private var cells: [[Cell]]
    private var other: [[Cell]]
    private var shown: [[Cell]]
    private var isHeld = false
    private var look = ""
    private var row = 0
    private var column = 0
    private var otherPlace = (0, 0)
    private var reader = SequenceReader()

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Self.blank(columns, rows)
        (other, shown) = (cells, cells)
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[Cell]] {
        Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    /// The rows without the spaces at their ends.
    var lines: [String] {
        shown.map { row in
            row.filter { !$0.isCovered }.map(\.text).joined().trimmingEnd
        }
    }

    var text: String { lines.joined(separator: "\n") }

    /// For each column the letter of its look, a point where it has none.
    var looks: [String] {
        shown.map { row in
            let letters = row.map { Self.letters[$0.look] ?? "?" }
            return letters.contains { $0 != "." } ? letters.joined() : ""
        }
    }

    static let letters = [
        "": ".", "1": "b", "2": "f", "32": "g", "33": "y", "1;31": "r", "36": "c",
    ]

    /// As a terminal does that does not break lines anew: what no longer fits is lost.
    mutating func resize(columns: Int, rows: Int) {
        func resized(_ cells: [[Cell]]) -> [[Cell]] {
            (0..<rows).map { row in
                (0..<columns).map { column in
                    cells.indices.contains(row) && cells[row].indices.contains(column)
                        ? cells[row][column] : Cell()
                }
            }
        }
        (self.columns, self.rows) = (columns, rows)
        (cells, other, shown) = (resized(cells), resized(other), resized(shown))
        (row, column) = (min(row, rows - 1), min(column, columns))
    }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for token in reader.read(bytes) { take(token) }
        if !isHeld { shown = cells }
    }

    private mutating func take(_ token: SequenceReader.Token) {
        switch token {
        case .scalar(let scalar): put(scalar)
        case .control(13): column = 0
        case .control(10): lineFeed()
        case .control(8): column = max(0, column - 1)
        case .control(let byte): strange.append("control \(byte)")
        case .sequence(let parameters, let final): obey(parameters, final)
        case .strange(let text): strange.append(text)
        }
    }

    private mutating func lineFeed() {
        if row < rows - 1 { return row += 1 }
        cells.removeFirst()
        cells.append(Array(repeating: Cell(), count: columns))
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if isAlternate, !isHeld { strange.append("drawn piece by piece: \(scalar)") }
        if extendLast(scalar) { return }
        let width = DisplayWidth.of(Character(scalar))
        if column + width > columns {
            guard breaksLines else { return }
            column = 0
            lineFeed()
        }
        set(Cell(text: String(scalar), look: look), width)
    }

    private mutating func set(_ cell: Cell, _ width: Int) {
        guard column < columns else { return }
        cells[row][column] = cell
        if width == 2, column + 1 < columns { cells[row][column + 1] = Cell(look: look, isCovered: true) }
        column += width
    }

    /// Whether the scalar belongs to what was written last.
    private mutating func extendLast(_ scalar: Unicode.Scalar) -> Bool {
        guard column > 0 else { return false }
        let start = cells[row][column - 1].isCovered ? column - 2 : column - 1
        let last = cells[row][start].text
        let joined = last + String(scalar)
        guard joined.count == 1 else { return false }
        let cell = Cell(text: joined, look: cells[row][start].look)
        column = start
        set(cell, DisplayWidth.of(Character(joined)))
        return true
    }

    private mutating func obey(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch final {
        case "H": (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
        case "K" where parameters.isEmpty:
            for place in column..<max(column, columns) { cells[row][place] = Cell() }
        case "m": look = parameters == "0" ? "" : parameters
        case "h", "l": setMode(parameters, final == "h")
        default: strange.append("CSI \(parameters)\(final)")
        }
        if !(0..<rows).contains(row) { strange.append("row \(row) of \(rows)") }
    }

    private mutating func setMode(_ mode: String, _ isOn: Bool) {
        switch mode {
        case "?1049":
            guard isOn != isAlternate else { return }
            isAlternate = isOn
            swap(&cells, &other)
            // Each screen has its own place to write.
            ((row, column), otherPlace) = (otherPlace, (row, column))
            entries += isOn ? 1 : 0
            if isOn { cells = Self.blank(columns, rows) }
        case "?25": showsCursor = isOn
        case "?7": breaksLines = isOn
        case "?2004": marksPastes = isOn
        case "?2026":
            if isHeld, !isOn { updates += 1 }
            isHeld = isOn
            if !isOn { shown = cells }
        default: strange.append("mode \(mode)")
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
