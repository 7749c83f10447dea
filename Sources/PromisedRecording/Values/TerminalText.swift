extension String {
    /// The text without commands to a terminal, and without a hidden order of characters: control characters, line
    /// separators and those that change the direction of text are written as their numbers. Joiners stay, which emoji
    /// and the letters of some scripts need.
    var escapedForTerminal: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        return unicodeScalars.map { scalar in
            if scalar == "\u{200C}" || scalar == "\u{200D}" { return String(scalar) }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        .joined()
    }
}
