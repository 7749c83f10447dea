import Foundation

/// A file that must not compile, for the reason that it gives.
///
/// ```text
/// // expect-error: what the compiler's error must contain
/// // PK-34: one sentence that says what is forbidden
/// import PromisedSystem
///
/// func example(…) {
///     // <wrong>
///     the code that must not compile
///     // </wrong>
/// }
/// ```
///
/// Without the marked part the file must compile, so nothing else makes it fail.
struct Fixture: Equatable, Sendable, CustomStringConvertible {
    /// The path from the package's root.
    var file: String
    /// Text that one of the errors must contain.
    var expected: String
    private var lines: [Substring]
    private var wrong: [Range<Int>]

    /// The file's name, for the test's log.
    var description: String { file.split(separator: "/").last.map(String.init) ?? file }

    /// Reads a fixture.
    ///
    /// - Throws: `Problem` at the line that is not well-formed.
    init(file: String, text: String) throws {
        self.file = file
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let match = lines[0].wholeMatch(of: #/// expect-error: (.*\S.*)/#) else {
            throw Self.problem(
                file, line: 1, "the first line must be '// expect-error: <part of the message>'")
        }
        expected = String(match.1)
        let name = file.split(separator: "/").last ?? ""
        guard lines.count > 1, let row = lines[1].wholeMatch(of: #/// ([A-Z]+-?\d+): .*\S.*/#),
            name.hasPrefix("\(row.1)-")
        else {
            throw Self.problem(
                file, line: 2,
                "the second line must be '// <row>: <sentence>', the file's name '<row>-….swift'")
        }
        wrong = try Self.marks(in: lines, file: file)
    }

    /// The whole file, which must not compile.
    var whole: String { lines.joined(separator: "\n") }

    /// The file without its wrong parts, which must compile; every line keeps its number.
    var corrected: String {
        var lines = lines
        for part in wrong {
            for index in part { lines[index] = "" }
        }
        return lines.joined(separator: "\n")
    }

    private static func marks(in lines: [Substring], file: String) throws -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start: Int?
        for (index, line) in lines.enumerated() {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// <wrong>":
                if start != nil { throw problem(file, line: index + 1, "this part is open already") }
                start = index + 1
            case "// </wrong>":
                guard let begin = start else { throw problem(file, line: index + 1, "no part is open") }
                found.append(begin..<index)
                start = nil
            default:
                break
            }
        }
        if let start { throw problem(file, line: start, "this part is never closed") }
        if found.isEmpty {
            throw problem(file, line: 1, "no part of the file is marked '// <wrong>' … '// </wrong>'")
        }
        return found
    }

    private static func problem(_ file: String, line: Int, _ message: String) -> Problem {
        Problem(place: Place(file: file, line: line), message: message)
    }
}
