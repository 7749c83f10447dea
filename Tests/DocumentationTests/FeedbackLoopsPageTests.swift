import Testing

/// "Coming from feedback loops" says what each part of another design is here: what it says exists.
@Suite("Feedback loops page")
struct FeedbackLoopsPageTests {
    private static let folder = "Sources/PromisedSystem/PromisedSystem.docc"
    private static let page = "\(folder)/ComingFromFeedbackLoops.md"
    /// Its programs, and those of the page that it sends its readers to.
    private static let pages = [page, "\(folder)/FeedbacksSideBySide.md"]

    /// The cells of every line of a table, without its head.
    private static func rows() throws -> [[Substring]] {
        try Package.text(page).split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|---") }
            .map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }
    }

    @Test("each row from FS-01 to FS-47 is there, once and in order")
    func everyRow() throws {
        let expected = (1...47).map { "FS-\($0 < 10 ? "0" : "")\($0)" }
        let ids = try Self.rows().compactMap { cells in
            cells.first?.wholeMatch(of: #/(FS-\d\d) */#).map { String($0.1) }
        }
        #expect(ids == expected)
    }

    @Test("what stands on the right-hand side is in a program of the two pages, which is compiled")
    func everyName() throws {
        let programs = Documentation.current.programs.filter { Self.pages.contains($0.place.file) }
        #expect(programs.count == 5 && programs.allSatisfy { $0.kind == .run })
        // Without its comments, in which anything may be said.
        let code = programs.flatMap(\.fences).map(\.code).joined().replacing(#/\/\/.*/#, with: "")
        let known = Set(Self.words(code))
        for cells in try Self.rows() {
            guard let right = cells.last else { continue }
            for name in right.matches(of: #/`+([^`]+)`+/#).map(\.1) {
                for word in Self.words(name) where !known.contains(word) {
                    Issue.record("'\(word)' of `\(name)` is in no program of the pages")
                }
            }
        }
    }

    private static func words(_ text: some StringProtocol) -> [String] {
        String(text).matches(of: #/[A-Za-z]\w*/#).map { String($0.output) }
    }
}
