import Testing

/// "Coming from feedback loops" says what each part of another design is here: what it says exists.
@Suite("Feedback loops page")
struct FeedbackLoopsPageTests {
    private static let page = ComparisonPage(
        name: "ComingFromFeedbackLoops", companions: ["FeedbacksSideBySide", "ScreensAndTheirParts"],
        prefix: "FS", count: 47)

    @Test("each row from FS-01 to FS-47 is there, once and in order")
    func everyRow() throws { try Self.page.checkRows() }

    @Test("what stands on the right-hand side is in a program of the pages, which is compiled")
    func everyName() throws { try Self.page.checkNames() }
}
