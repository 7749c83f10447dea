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
