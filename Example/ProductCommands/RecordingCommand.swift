import ProductReading
import ToolSupport

/// What the tool does with recorded sessions.
package enum RecordingCommand: Sendable, Equatable {
    /// Runs them again, all files of a folder included, and compares.
    case replay([String])
    /// Writes one as a page.
    case report(String, page: String)

    static let order =
        "the files of replay and report come first: product-page replay session.jsonl --product tea"

    /// Takes the command and its files from the arguments.
    ///
    /// - Returns: Nil if the arguments begin with another word.
    /// - Throws: `PageError.usage` if a file is missing, or is one too many.
    init?(_ arguments: inout ArraySlice<String>) throws {
        guard let word = arguments.first, ["replay", "report"].contains(word) else { return nil }
        arguments.removeFirst()
        var (files, page) = ([String](), String?.none)
        while let argument = arguments.first, argument == "-o" || !argument.hasPrefix("-") {
            arguments.removeFirst()
            if argument != "-o" {
                files.append(argument)
            } else {
                guard word == "report", page == nil, let name = arguments.popFirst() else {
                    throw PageError.usage("-o is for the page of a report: product-page report FILE -o PAGE")
                }
                page = name
            }
        }
        if files.isEmpty, !arguments.isEmpty { throw PageError.usage(Self.order) }
        guard let first = files.first, word == "replay" || files.count == 1 else {
            throw PageError.usage(
                word == "replay"
                    ? "replay needs recordings: product-page replay session.jsonl, or a folder of them"
                    : "report needs one recording: product-page report session.jsonl -o report.html")
        }
        self = word == "replay" ? .replay(files) : .report(first, page: page ?? first + ".html")
    }
}
