import Testing

/// The page "Coming from SwiftRex, Redux, ReSwift" maps each part of a store to this library: what it names exists.
@Suite("Stores page")
struct StoresPageTests {
    private static let page = ComparisonPage(
        name: "ComingFromStores",
        companions: [
            "StoresSideBySide", "StoresReadAndRecorded", "ManyFeatures", "NavigationAsState",
            "OneSystemOrSeveral", "ScreensAndTheirParts",
        ], prefix: "SR", count: 55)

    @Test("each row from SR-01 to SR-55 exists, once and in order")
    func everyRow() throws { try Self.page.checkRows() }

    @Test("the names on the right-hand side occur in a program of the pages, which is compiled")
    func everyName() throws { try Self.page.checkNames() }
}
