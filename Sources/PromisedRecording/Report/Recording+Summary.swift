extension Recording {
    /// The recording as text for a terminal: a line for each fact, the changes of the state below it. Control
    /// characters of the recording are escaped.
    ///
    /// ```swift
    /// func summarize(_ path: String) throws {
    ///     print(try Recording(contentsOf: path).summary(last: 20))
    /// }
    /// ```
    ///
    /// - Parameter count: The number of turns, the last ones; all by default.
    /// - Complexity: Reads the file from the last full state before those turns on.
    /// - Throws: A ``RecordingError`` if the file cannot be read any more.
    public func summary(last count: Int? = nil) throws(RecordingError) -> String {
        let first = count.map { max(turns.lowerBound, turns.upperBound - max(0, $0) + 1) } ?? turns.lowerBound
        var (writer, lines, last) = (FactWriter(), [String](), -1)
        try forEachFact(from: first, &writer) { fact, isWanted, writer in
            guard let text = writer.write(fact), isWanted else { return }
            let isTurn = fact.kind.countsTurn && fact.turn > last
            last = fact.turn
            lines +=
                [Self.line(fact, text, writer.timeline.now, isTurn: isTurn)]
                + text.changes.map { "        \($0)" }
        }
        lines += writer.timeline.items.filter { $0.end == nil }.map { item in
            "still running: \(item.isTurn ? item.detail : "\(item.name) \(item.detail)"), since turn \(item.turn)"
        }
        return lines.map(\.escapedForTerminal).joined(separator: "\n")
    }

    /// `41  +12.031 s  .add("tea") sent by run 7, 3 ms`; the other facts of a turn are indented.
    private static func line(_ fact: RecordedFact, _ text: FactText, _ now: Int, isTurn: Bool) -> String {
        let duration = fact["d"]?.int.map { ", \($0.timeText)" } ?? ""
        return "\(isTurn ? "\(fact.turn)" : "   ")  +\(now.timeText)  \(text.text)\(duration)"
    }
}

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
