import Testing

/// "Coming from The Composable Architecture" says what each part of it is here: what it says exists.
@Suite("Composable Architecture page")
struct ComposableArchitecturePageTests {
    @Test("what stands on the right-hand side is in a program of the pages, which is compiled")
    func everyName() throws {
        // Its rows have no ids.
        let page = ComparisonPage(
            name: "ComingFromTheComposableArchitecture",
            companions: [
                "ManyFeatures", "NavigationAsState", "WorkThatFollows", "OneSystemOrSeveral",
                "StoresSideBySide",
                "StoresReadAndRecorded",
            ], prefix: "", count: 0)
        try page.checkNames()
    }
}
