import Promise

/// Records the emissions while rows are played.
struct MarbleTape: Sendable {
    /// Something that was emitted: a value, an error or the end.
    struct Emission: Sendable {
        /// The time since the first tick.
        let instant: Duration
        /// The marks that may stand for it; reports print the first.
        let marks: [MarbleRow.Mark]
        /// Its description.
        let text: String
    }

    let tick: Duration
    var entries: [Emission] = []

    /// The tick at or before its instant, where it is drawn.
    func tick(of entry: Emission) -> Int { Int(entry.instant.whole / tick.whole) }

    func isOnTick(_ entry: Emission) -> Bool { tick * tick(of: entry) == entry.instant }

    func entries(at number: Int) -> [Emission] { entries.filter { tick(of: $0) == number } }

    /// The recorded entries as a row.
    func row(_ length: Int) -> MarbleRow {
        MarbleRow(name: "seen", (0..<length).map { entries(at: $0).map(\.mark) })
    }

    /// The first tick at which the entries differ from the expected row; nil if there is none.
    func difference(from expected: MarbleRow, _ length: Int) -> Int? {
        (0..<length).first { number in
            let wanted = expected.ticks.indices.contains(number) ? expected.ticks[number] : []
            let seen = entries(at: number)
            return wanted.count != seen.count
                || zip(wanted, seen).contains { !$1.marks.contains($0) || !isOnTick($1) }
        }
    }

    /// The failure text for a tick that differs.
    ///
    /// - Parameters:
    ///   - inputs: The rows that were performed.
    ///   - expected: The row that was expected.
    func text(_ number: Int, _ inputs: [MarbleRow], _ expected: MarbleRow, _ length: Int) -> String {
        let expected = expected.named("expected")
        let rows = inputs.map { $0.named("done") } + [expected, row(length)]
        let (lines, columns) = MarbleRow.aligned(rows)
        let wanted = expected.ticks.indices.contains(number) ? expected.ticks[number] : []
        let seen = entries(at: number)
        let mark = String(repeating: " ", count: columns[number]) + "^"
        let legend = seen.isEmpty ? "" : seen.map { "\n\(explanation($0))" }.joined() + "\n"
        return """
            "\(expected.name)" is not as expected at \(tick * number): expected \(Self.words(wanted)), but \
            \(Self.words(seen.map(\.mark))) came.

            \((lines + [mark]).map { "    \($0)" }.joined(separator: "\n"))
            \(legend)
            Fix the code or the inputs of the test, or change the row to what was seen.
            """
    }

    private static func words(_ marks: [MarbleRow.Mark]) -> String {
        marks.isEmpty ? "nothing" : MarbleRow.cell(marks)
    }

    private func explanation(_ entry: Emission) -> String {
        var notes: [String] = []
        if entry.marks.isEmpty { notes.append("no character stands for it") }
        if !isOnTick(entry) {
            notes.append("it came at \(entry.instant), between two ticks: a shorter tick has a column for it")
        }
        return "\(entry.mark.character): \(entry.text)"
            + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }
}

extension MarbleTape.Emission {
    var mark: MarbleRow.Mark { marks.first ?? .value("?") }
}

extension Duration {
    /// In attoseconds: with fractions, three tenths would be less than three times a tenth.
    fileprivate var whole: Int128 {
        Int128(components.seconds) * 1_000_000_000_000_000_000 + Int128(components.attoseconds)
    }
}
