import Testing

/// The page "Coming from feedback loops" maps each part of another design to this library: what it names exists.
@Suite("Feedback loops page")
struct FeedbackLoopsPageTests {
    private static let page = ComparisonPage(
        name: "ComingFromFeedbackLoops", companions: ["FeedbacksSideBySide", "ScreensAndTheirParts"],
        prefix: "FS", count: 47)

    @Test("each row from FS-01 to FS-47 exists, once and in order")
    func everyRow() throws { try Self.page.checkRows() }

    @Test("the names on the right-hand side occur in a program of the pages, which is compiled")
    func everyName() throws { try Self.page.checkNames() }
}
