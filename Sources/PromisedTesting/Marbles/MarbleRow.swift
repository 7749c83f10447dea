/// A parsed row of marbles: the marks at each tick, as in `a--(bc)|`.
///
/// A character is one tick, and so is a group. Spaces take no time; they align rows.
package struct MarbleRow: Sendable, Equatable {
    package enum Mark: Sendable, Hashable {
        case value(Character)
        case end, error
    }

    /// The text before the first colon; empty without one.
    package var name: String
    /// The marks of each tick, in order.
    package var ticks: [[Mark]]

    package init(name: String = "", _ ticks: [[Mark]]) { (self.name, self.ticks) = (name, ticks) }

    /// Characters that cannot stand for a value.
    package static let reserved: Set<Character> = ["-", "(", ")", "|", "#", " ", ":"]
}

extension MarbleRow.Mark {
    package var character: Character {
        switch self {
        case .value(let character): character
        case .end: "|"
        case .error: "#"
        }
    }

    /// - Parameter character: Not one of the reserved characters, except `|` and `#`.
    init(_ character: Character) {
        switch character {
        case "|": self = .end
        case "#": self = .error
        default: self = .value(character)
        }
    }
}

extension MarbleRow: CustomStringConvertible {
    /// The row as it is written in a test.
    package var description: String {
        (name.isEmpty ? "" : "\(name): ") + ticks.map(Self.cell).joined()
    }

    /// The row with a name, if it has none.
    func named(_ other: String) -> MarbleRow { name.isEmpty ? MarbleRow(name: other, ticks) : self }

    /// The text of one tick.
    static func cell(_ marks: [Mark]) -> String {
        let text = String(marks.map(\.character))
        return marks.isEmpty ? "-" : marks.count == 1 ? text : "(\(text))"
    }

    /// Aligns rows so that equal ticks start in the same column. Returns the lines, and the column of each tick.
    package static func aligned(_ rows: [MarbleRow]) -> (lines: [String], columns: [Int]) {
        let names = rows.map { "\($0.name):" }
        let start = (names.map(\.count).max() ?? 0) + 1
        let cells = rows.map { $0.ticks.map(cell) }
        var columns = [start]
        for tick in 0..<(cells.map(\.count).max() ?? 0) {
            let width = cells.map { $0.indices.contains(tick) ? $0[tick].count : 0 }.max() ?? 0
            columns.append(columns[tick] + width)
        }
        let lines = zip(names, cells).map { name, cells in
            cells.enumerated().reduce(into: name) { line, cell in
                line += String(repeating: " ", count: columns[cell.offset] - line.count) + cell.element
            }
        }
        return (lines, columns)
    }
}
