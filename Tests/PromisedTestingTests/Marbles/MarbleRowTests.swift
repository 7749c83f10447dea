import PromisedTesting
import Testing

/// Marble rows as text: parsed, printed and aligned.
@Suite struct MarbleRowTests {
    typealias Mark = MarbleRow.Mark

    @Test(
        "a character is one tick, and so is a group",
        arguments: [
            ("", MarbleRow([])), ("a", MarbleRow([[.value("a")]])), ("-a", MarbleRow([[], [.value("a")]])),
            (
                "typed: a--(bc)|",
                MarbleRow(
                    name: "typed",
                    [
                        [.value("a")], [], [], [.value("b"), .value("c")], [.end],
                    ])
            ),
            (" x : - # ", MarbleRow(name: "x", [[], [.error]])),
            ("(a|)-", MarbleRow([[.value("a"), .end], []])), (":é", MarbleRow([[.value("é")]])),
        ])
    func reading(text: String, row: MarbleRow) throws {
        #expect(try MarbleReader.read(text).row == row)
    }

    @Test("each mark has its column") func columns() throws {
        #expect(try MarbleReader.read("x: a-(b c)").columns == [[3], [], [6, 8]])
    }

    @Test(
        "a row that cannot be parsed is reported with the place and the reason",
        arguments: [
            ("a(b", 1, "the group that begins here is not closed"),
            ("a(b(c", 3, "a group cannot begin inside another"), ("a)", 1, "there is no group to close"),
            ("-()", 1, "there is nothing in this group"),
            ("(a-)", 2, "a group is one instant: no time passes in it"),
            ("a|-b", 3, "nothing happens after the end"),
            ("x: a:b", 4, "a colon stands only behind the name"),
        ])
    func malformed(text: String, column: Int, reason: String) {
        #expect(throws: MarbleReader.MarbleProblem(column, reason)) { try MarbleReader.read(text) }
    }

    @Test("rows are aligned under each other") func aligned() {
        let rows = [
            MarbleRow(name: "typed", [[.value("a")], [], [.value("b")]]),
            MarbleRow(name: "seen", [[], [.value("x"), .value("y")], [], [.end]]),
        ]
        let (lines, columns) = MarbleRow.aligned(rows)
        #expect(lines == ["typed: a-   b", "seen:  -(xy)-|"])
        #expect(columns == [7, 8, 12, 13, 14])
    }

    @Test("printed rows parse to the same marks, alone and aligned: 1,000 random rows")
    func roundTrip() throws {
        var random = LawRandom(seed: 7)
        func mark() -> Mark {
            Int.random(in: 0..<9, using: &random) == 0
                ? .error : .value("abcxyz?é🫖".randomElement(using: &random) ?? "a")
        }
        func row() -> MarbleRow {
            var row = MarbleRow(
                name: ["", "a", "shown"].randomElement(using: &random) ?? "",
                (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in mark() }
                })
            if Bool.random(using: &random) { row.ticks.append([.end]) }
            return row
        }
        for _ in 0..<1000 {
            let rows = [row(), row(), row()]
            for row in rows { #expect(try MarbleReader.read("\(row)").row == row) }
            let lines = MarbleRow.aligned(rows).lines
            #expect(try lines.map { try MarbleReader.read($0).row.ticks } == rows.map(\.ticks))
        }
    }
}
