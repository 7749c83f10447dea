import Testing

/// "Coming from SwiftRex, Redux, ReSwift" says what each part of a store is here: what it says exists.
@Suite("Stores page")
struct StoresPageTests {
    private static let page = ComparisonPage(
        name: "ComingFromStores",
        companions: [
            "StoresSideBySide", "StoresReadAndRecorded", "ManyFeatures", "NavigationAsState",
            "OneSystemOrSeveral", "ScreensAndTheirParts",
        ], prefix: "SR", count: 55)

    @Test("each row from SR-01 to SR-55 is there, once and in order")
    func everyRow() throws { try Self.page.checkRows() }

    @Test("what stands on the right-hand side is in a program of the pages, which is compiled")
    func everyName() throws { try Self.page.checkNames() }
}
