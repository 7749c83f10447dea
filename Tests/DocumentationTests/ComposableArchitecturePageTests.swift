import Testing

/// The page "Coming from The Composable Architecture" maps each part of it to this library: what it names exists.
@Suite("Composable Architecture page")
struct ComposableArchitecturePageTests {
    @Test("the names on the right-hand side occur in a program of the pages, which is compiled")
    func everyName() throws {
        // Its rows have no ids.
        let page = ComparisonPage(
            name: "ComingFromTheComposableArchitecture",
            companions: [
                "ManyFeatures", "NavigationAsState", "WorkThatFollows", "OneSystemOrSeveral",
                "StoresSideBySide",
                "StoresReadAndRecorded", "IdsDatesAndRandomNumbers",
                "HabitsFromTheComposableArchitecture",
            ], prefix: "", count: 0)
        try page.checkNames()
    }
}
