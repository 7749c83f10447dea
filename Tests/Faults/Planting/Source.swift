import Foundation

/// A source file and its declarations: functions, initializers, subscripts and computed properties. The files are
/// formatted, so a declaration ends with the first line that closes it by indentation.
struct Source {
    struct Declaration {
        /// Without indentation.
        let firstLine: Substring
        let range: Range<String.Index>

        /// Whether the line contains `place` as whole words behind its modifiers, or is `place`.
        func matches(_ place: String) -> Bool {
            if firstLine == place { return true }
            let code = withoutModifiers(firstLine)
            guard code.hasPrefix(place) else { return false }
            return !(code.dropFirst(place.count).first.map(isPartOfWord) ?? false)
        }
    }

    let text: String
    let declarations: [Declaration]

    init(_ text: String) {
        self.text = text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        declarations = lines.indices.filter { isDeclaration(lines[$0]) }.map { first in
            let last = lastLine(from: first, in: lines)
            return Declaration(
                firstLine: lines[first].drop { $0 == " " },
                range: lines[first].startIndex..<lines[last].endIndex)
        }
    }
}

func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
}

func indentation(_ line: Substring) -> Int { line.utf8.prefix { $0 == UInt8(ascii: " ") }.count }

private func isDeclaration(_ line: Substring) -> Bool {
    let code = withoutModifiers(line.drop { $0 == " " })
    let word = code.prefix(while: isPartOfWord)
    if word == "var" { return code.prefix { $0 != "=" }.contains("{") }
    return ["func", "init", "deinit", "subscript"].contains(word)
}

private let modifiers: Set<Substring> = [
    "public", "package", "nonisolated(nonsending)", "private", "fileprivate", "static", "final", "mutating",
    "nonmutating", "override",
    "convenience", "consuming", "nonisolated",
]

private func withoutModifiers(_ line: Substring) -> Substring {
    var rest = line
    while let space = rest.firstIndex(of: " "), rest.first == "@" || modifiers.contains(rest[..<space]) {
        rest = rest[space...].drop { $0 == " " }
    }
    return rest
}

private func lastLine(from first: Int, in lines: [Substring]) -> Int {
    if lines[first].contains("{"), lines[first].last == "}" { return first }
    let depth = indentation(lines[first])
    for number in lines.indices.dropFirst(first + 1) {
        let line = lines[number]
        if line.isEmpty || indentation(line) > depth { continue }
        let code = line.drop { $0 == " " }
        if code.first == "}", indentation(line) == depth { return number }
        // The end of the parameters, or a brace after them.
        let isHeader = [")", "{", "}", "->", "where"].contains { code.hasPrefix($0) }
        if !isHeader { return number - 1 }
    }
    return lines.count - 1
}
