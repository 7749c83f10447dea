/// Compares the compiler's errors for a program that it must reject with those that the page quotes.
enum RefusalCheck {
    /// The problems of the program: it compiles, or its errors are not those that the page quotes, in whatever order.
    ///
    /// The page has its own order, as the compiler may emit its errors in another one on another machine. Warnings count,
    /// as they are errors here. The same message at several places is quoted once.
    ///
    /// - Parameter report: The compiler's output; nil if the program compiles.
    static func problems(of program: Program, report: String?) -> [Problem] {
        guard let report else {
            return [
                Problem(place: program.place, message: "this compiles, and the page says that it does not")
            ]
        }
        var messages: [String] = []
        for message in Diagnostics.errors(in: report) where !messages.contains(message) {
            messages.append(message)
        }
        let quoted = (program.errors ?? "").split(separator: "\n").map {
            String($0).replacing(#/^(error|warning): /#, with: "")
        }
        guard !isEachQuoted(messages[...], in: quoted) else { return [] }
        let said = messages.map { "error: \($0)\n" }.joined()
        let message = "the compiler says\n\(said)and not, as the page quotes,\n\(program.errors ?? "")"
        return [Problem(place: program.place, message: message)]
    }

    /// Whether each message has a quotation of its own, and no quotation is left over.
    ///
    /// A quotation with `…` may match several messages, so one that leaves another message without any is tried again.
    private static func isEachQuoted(_ messages: ArraySlice<String>, in quoted: [String]) -> Bool {
        guard let message = messages.first else { return quoted.isEmpty }
        return quoted.indices.contains { index in
            var others = quoted
            return isQuoted(message, as: others.remove(at: index))
                && isEachQuoted(messages.dropFirst(), in: others)
        }
    }

    /// Whether a message matches the quotation, in which `…` stands for anything.
    private static func isQuoted(_ message: String, as quoted: String) -> Bool {
        let parts = quoted.split(separator: "…", omittingEmptySubsequences: false)
        var rest = message[...]
        for part in parts.dropLast() {
            guard let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.firstRange(of: part),
                part.startIndex != quoted.startIndex || range.lowerBound == rest.startIndex
            else { return false }
            rest = rest[range.upperBound...]
        }
        return parts.count == 1 ? message == quoted : rest.hasSuffix(parts[parts.count - 1])
    }
}
