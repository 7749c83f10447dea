/// Finds the fenced blocks in the `///` comments of a Swift file.
enum DocComments {
    /// The fences of every doc comment in `text`, and the problems found.
    ///
    /// A fence must end in the comment that it began in.
    static func extract(_ text: String, file: String) -> (fences: [Fence], problems: [Problem]) {
        var fences: [Fence] = []
        var problems: [Problem] = []
        var comment: [Substring] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The empty line at the end closes a comment at the end of the file.
        for (index, line) in (lines + [""]).enumerated() {
            let code = line.drop(while: \.isWhitespace)
            if code.hasPrefix("///") {
                let content = code.dropFirst(3)
                comment.append(content.first == " " ? content.dropFirst() : content)
            } else if !comment.isEmpty {
                let found = FenceExtractor.extract(
                    comment, file: file, firstLine: index + 1 - comment.count, style: .commentOnly)
                fences += found.fences
                problems += found.problems
                comment = []
            }
        }
        return (fences, problems)
    }
}
