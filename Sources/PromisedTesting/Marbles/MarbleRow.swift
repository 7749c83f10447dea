/// What happens at each tick, as a row of characters says it: `a--(bc)|`.
///
/// A character is one tick, and so is a group. Spaces take no time: they are there to put rows under each other.
package struct MarbleRow: Sendable, Equatable {
    package enum Mark: Sendable, Hashable {
        case value(Character)
        case end, error
    }

    /// What stands before the first colon; empty where there is none.
    package var name: String
    /// What happens at each tick, in order.
    package var ticks: [[Mark]]

    package init(name: String = "", _ ticks: [[Mark]]) { (self.name, self.ticks) = (name, ticks) }

    /// Characters that mean something else than a value.
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

    /// - Parameter character: None that means nothing by itself.
    init(_ character: Character) {
        switch character {
        case "|": self = .end
        case "#": self = .error
        default: self = .value(character)
        }
    }
}

extension MarbleRow: CustomStringConvertible {
    /// The row as one would write it.
    package var description: String {
        (name.isEmpty ? "" : "\(name): ") + ticks.map(Self.cell).joined()
    }

    /// The row, called something.
    func named(_ other: String) -> MarbleRow { name.isEmpty ? MarbleRow(name: other, ticks) : self }

    /// What stands for one tick.
    static func cell(_ marks: [Mark]) -> String {
        let text = String(marks.map(\.character))
        return marks.isEmpty ? "-" : marks.count == 1 ? text : "(\(text))"
    }

    /// Rows under each other, so that what happens at the same tick begins in the same column, and the columns of the
    /// ticks.
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
