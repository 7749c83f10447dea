/// What is between the braces of a function or an accessor.
struct Body {
    let range: Range<String.Index>
    /// It can be an expression without `return`.
    let hasResult: Bool

    /// The bodies of a declaration: several for a property or a subscript with accessors.
    static func all(in declaration: Substring) -> [Body] {
        guard let whole = braces(in: declaration) else { return [] }
        let header = declaration[..<whole.lowerBound]
        let accessors = accessors(in: declaration[whole])
        return accessors.isEmpty ? [Body(range: whole, hasResult: hasResult(header))] : accessors
    }

    private static func hasResult(_ header: Substring) -> Bool {
        let words = header.split { !$0.isLetter }
        // A modifier can stand before it.
        if words.contains("var"), !words.contains("func") { return true }
        var scanner = Scanner(header)
        var signature = ""
        while let (_, character) = scanner.next() {
            if "([".contains(character) { _ = scanner.skipToClosing() }
            signature.append(character)
        }
        return signature.contains("->") && !header.contains(/-> Void *$/)
    }

    /// What is between the first braces that are not inside of parentheses.
    private static func braces(in text: Substring) -> Range<String.Index>? {
        var scanner = Scanner(text)
        while let (_, character) = scanner.next() {
            if character == "{" {
                let first = scanner.position
                return scanner.skipToClosing().map { first..<$0 }
            }
            if "([".contains(character) { _ = scanner.skipToClosing() }
        }
        return nil
    }

    private static func accessors(in text: Substring) -> [Body] {
        let pattern = /\s*((@\w+|nonmutating|mutating)\s+)*(get|set|_read|_modify|willSet|didSet)\b[^{}.=]*\{/
        var (found, rest) = ([Body](), withoutComments(text))
        while let match = rest.prefixMatch(of: pattern) {
            guard let range = braces(in: rest) else { break }
            found.append(Body(range: range, hasResult: match.output.3 == "get"))
            rest = withoutComments(rest[range.upperBound...].dropFirst())
        }
        return found
    }

    private static func withoutComments(_ text: Substring) -> Substring {
        var rest = text
        while let comment = rest.prefixMatch(of: /\s*\/\/[^\n]*/) { rest = rest[comment.range.upperBound...] }
        return rest
    }
}

/// The body, so that it can stand in a branch of an `if`: a result that is implicit elsewhere needs a `return` there.
func explicit(_ body: String) -> String {
    isExpression(body) ? "return " + body.drop { $0.isWhitespace } : body
}

/// Whether the body is one expression. The code is formatted, so a line as far to the left as the first one begins a
/// statement, unless it closes a bracket.
private func isExpression(_ body: String) -> Bool {
    let lines = body.split(separator: "\n").filter { line in
        let code = line.drop { $0 == " " }
        return !code.isEmpty && !code.hasPrefix("//")
    }
    guard let first = lines.first else { return false }
    // The first line of a body on the line of its braces has no indentation of its own.
    let depth = body.hasPrefix("\n") ? indentation(first) : 0
    let others = lines.dropFirst().filter { indentation($0) <= depth }
    guard others.allSatisfy({ $0.contains(/^\ *[)\]}]/) }) else { return false }
    let word = first.drop { $0 == " " }.prefix(while: isPartOfWord)
    if ["if", "switch"].contains(word) { return !body.contains(/\breturn\b/) }
    return !statementWords.contains(word)
}

private let statementWords: Set<Substring> = [
    "return", "let", "var", "guard", "for", "while", "repeat", "do", "defer", "throw", "func", "_",
]
