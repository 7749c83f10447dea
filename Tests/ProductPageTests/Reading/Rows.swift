import Foundation
import Testing

/// A row of a table: what is given, and what comes of it.
struct Row: CustomTestStringConvertible {
    var given: String
    var expected: String
    var testDescription: String { given }
}

/// The rows of a table: one on each line, or several with ` | ` between them.
func rows(_ table: String) -> [Row] {
    table.split(separator: "\n").flatMap { $0.split(separator: " | ") }.map { row in
        let parts = row.components(separatedBy: " => ")
        return Row(given: parts[0], expected: parts[1])
    }
}
