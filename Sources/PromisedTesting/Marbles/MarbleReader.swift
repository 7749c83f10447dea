/// Parses a row of marbles.
package struct MarbleReader {
    /// A syntax error in a row.
    package struct MarbleProblem: Error, Equatable {
        /// The number of characters before the error.
        package let column: Int
        package let reason: String

        package init(_ column: Int, _ reason: String) { (self.column, self.reason) = (column, reason) }
    }

    /// The columns of the marks of each tick.
    package typealias Columns = [[Int]]

    private var ticks: [[MarbleRow.Mark]] = []
    private var columns: Columns = []
    /// The column of the open group, if any.
    private var group: Int?
    private var hasEnded = false

    /// - Throws: The first syntax error.
    package static func read(_ text: String) throws(MarbleProblem) -> (row: MarbleRow, columns: Columns) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let marks = parts.last ?? ""
        var reader = MarbleReader()
        let start = text.count - marks.count
        for (offset, character) in marks.enumerated() { try reader.read(character, start + offset) }
        if let group = reader.group { throw MarbleProblem(group, "the group that begins here is not closed") }
        let name = parts.count == 2 ? String(parts[0].trimming(while: \.isWhitespace)) : ""
        return (MarbleRow(name: name, reader.ticks), reader.columns)
    }

    private mutating func read(_ character: Character, _ column: Int) throws(MarbleProblem) {
        switch character {
        case " ": return
        case "(":
            guard group == nil else { throw MarbleProblem(column, "a group cannot begin inside another") }
            group = column
            begin()
        case ")":
            guard let start = group else { throw MarbleProblem(column, "there is no group to close") }
            guard ticks.last?.isEmpty == false else {
                throw MarbleProblem(start, "there is nothing in this group")
            }
            group = nil
        case "-":
            guard group == nil else {
                throw MarbleProblem(column, "a group is one instant: no time passes in it")
            }
            begin()
        case ":": throw MarbleProblem(column, "a colon stands only behind the name")
        default:
            guard !hasEnded else { throw MarbleProblem(column, "nothing happens after the end") }
            if group == nil { begin() }
            let mark = MarbleRow.Mark(character)
            ticks[ticks.count - 1].append(mark)
            columns[columns.count - 1].append(column)
            hasEnded = mark == .end
        }
    }

    private mutating func begin() {
        ticks.append([])
        columns.append([])
    }
}

extension Substring {
    fileprivate func trimming(while isMeant: (Character) -> Bool) -> Substring {
        var rest = drop(while: isMeant)
        while let last = rest.last, isMeant(last) { rest.removeLast() }
        return rest
    }
}
