import Testing

@testable import ProductPage
@testable import ProductReading

/// The tool without its process: what it writes to its two streams.
@Suite struct ConsoleTests {
    private static let page = ["Lamp", "  Price:        no price given", "  Id:           Lamp"]

    /// The arguments behind the source, whether a terminal shows the messages, and what is written to each stream;
    /// `LAMP` and `GONE` stand for the paths of a file and of none.
    static let cases: [(String, Bool, Int32, [String], [String])] = [
        // A terminal shows that it loads; a log does not.
        ("LAMP", true, 0, page, ["Loading LAMP…"]), ("LAMP", false, 0, page, []),
        // A script, an error and wrong usage are one line, watched or not.
        (
            "GONE --events load", true, 66, ["start", "loading", "error: GONE: no such file"],
            ["product-page: GONE: no such file"]
        ),
        (
            "GONE --events load", false, 66, ["start", "loading", "error: GONE: no such file"],
            ["product-page: GONE: no such file"]
        ),
        ("--lst", false, 64, [], ["product-page: unknown option '--lst'; did you mean --list?"]),
    ]

    @Test(arguments: cases)
    func streams(
        line: String, isInteractive: Bool, code: Int32, output: [String], messages: [String]
    ) async throws {
        let folder = try TemporaryFolder(["a.json": #"{"@type":"Product","name":"Lamp"}"#])
        let paths = ["LAMP": folder.file("a.json"), "GONE": folder.file("b.json")]
        let written = LineLog()
        let arguments = line.split(separator: " ").map { paths[String($0)] ?? String($0) }
        let tool = Tool(console: written.console(isInteractive: isInteractive))
        #expect(await tool.run(arguments + ["--cart", folder.file("cart.json")]) == code)
        func short(_ lines: [String]) -> [String] {
            lines.map { paths.reduce($0) { $0.replacing($1.value, with: $1.key) } }
        }
        #expect(short(written.data) == output && short(written.lines) == messages)
    }
}
