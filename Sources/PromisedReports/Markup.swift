/// Text for HTML and XML.
package struct Markup {
    /// The text with every character escaped that has a meaning, and without those that XML does not allow.
    package static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            case "\t", "\n": String(scalar)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: String(scalar)
            }
        }
        .joined()
    }

    /// An attribute's value: line endings are escaped as well, which a reader would turn into spaces.
    package static func attribute(_ text: some StringProtocol) -> String {
        escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
    }
}
