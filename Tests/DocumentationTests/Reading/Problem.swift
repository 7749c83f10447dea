import Foundation
import Testing

/// A line of a file of this package, by its path from the package's root.
struct Place: Equatable, Sendable {
    var file: String
    var line: Int
    var column = 1
}

/// A problem of a page, a doc comment or a fixture, and its place.
///
/// Checks return problems instead of recording them, so that the tests of the checks can examine them.
struct Problem: Error, Equatable, Sendable {
    var place: Place
    var message: String
}

extension Problem: CustomStringConvertible {
    var description: String { "\(place.file):\(place.line): \(message)" }
}

extension Problem {
    /// Fails the running test at the problem's own line, where an editor can jump to it.
    func record(root: URL = Package.root) {
        let location = SourceLocation(
            fileID: "PromisedSystem/\(place.file)", filePath: root.appending(path: place.file).path,
            line: place.line, column: place.column)
        Issue.record("\(self)", sourceLocation: location)
    }
}
