import Foundation

/// The library's source text, for rules that no program can check.
enum SourceText {
    struct Line: Sendable {
        /// Below `Sources/PromisedSystem`.
        let file: String
        let number: Int
        let code: String
    }

    private static let folder = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }
    .appending(path: "Sources/PromisedSystem")

    /// Every line of code: without comments, and without the leading spaces.
    static func lines() throws -> [Line] {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted().flatMap {
            file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let texts = text.split(separator: "\n", omittingEmptySubsequences: false)
            return zip(1..., texts).map { number, line in
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                return Line(file: file, number: number, code: code.trimmingCharacters(in: .whitespaces))
            }
        }
    }
}
