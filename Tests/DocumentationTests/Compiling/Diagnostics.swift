/// Parses the compiler's output.
enum Diagnostics {
    /// The messages of the errors alone.
    static func errors(in report: String) -> [String] {
        report.split(separator: "\n").compactMap { $0.firstMatch(of: #/error: (.*)/#).map { String($0.1) } }
    }

    /// A problem for each error with a place below `root`, the first with the compiler's whole report.
    ///
    /// - Parameter place: The place of the problem if no error has one.
    static func problems(in report: String, root: String, otherwise place: Place) -> [Problem] {
        let lines = report.split(separator: "\n")
        var problems = lines.compactMap { line -> Problem? in
            guard let match = line.wholeMatch(of: #/(.+?):(\d+):(\d+): error: (.*)/#),
                match.1.hasPrefix(root), let number = Int(match.2), let column = Int(match.3)
            else { return nil }
            let file = String(match.1.dropFirst(root.count).drop { $0 == "/" })
            return Problem(
                place: Place(file: file, line: number, column: column), message: String(match.4))
        }
        if problems.isEmpty { problems = [Problem(place: place, message: "does not compile")] }
        problems[0].message += "\n\(report)"
        return problems
    }
}
