/// The code of an example, divided into the parts that a file can contain: its types, which a reader would paste at file
/// scope, and its statements, which need a function there.
///
/// A line that belongs to the other part is empty, so that every line keeps its number.
struct BodyParts {
    /// The types and extensions. They are private, as the examples that are compiled together repeat their names.
    let types: String
    /// All other lines.
    let statements: String

    init(_ lines: [Substring]) {
        var (types, statements, isInType) = ([String](), [Substring](), false)
        for (line, next) in zip(lines, lines.dropFirst() + [""]) {
            isInType = isInType || Self.beginsType(line) || Self.isAttribute(line) && Self.beginsType(next)
            types.append(isInType ? Self.private(line) : "")
            statements.append(isInType ? "" : line)
            if Self.endsType(line) { isInType = false }
        }
        self.types = types.joined(separator: "\n")
        self.statements = statements.joined(separator: "\n")
    }

    private static func isAttribute(_ line: Substring) -> Bool { line.contains(#/^@\w+(\(.*\))?$/#) }

    private static func beginsType(_ line: Substring) -> Bool {
        line.contains(#/^(@\w+(\(.*\))? +)*(\w+ +)*(struct|class|enum|extension|protocol|actor) +\w/#)
    }

    /// A type ends in a brace without indentation, or in its first line.
    private static func endsType(_ line: Substring) -> Bool { line.contains(#/^}|^\S.*} *(\/\/.*)?$/#) }

    /// A declaration takes one access modifier, behind its attributes; an extension with a conformance takes none.
    private static func `private`(_ line: Substring) -> String {
        let takesNone = line.contains(#/\b(public|private|fileprivate)\b|^extension [^{]*:/#)
        if takesNone || !beginsType(line) { return String(line) }
        return String(line.replacing(#/^(@\w+(\(.*\))? +)*/#) { "\($0.0)private " })
    }
}
