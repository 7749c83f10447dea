import Testing

/// Names of tests begin with ids; `Tests/README.md` explains them.
@Suite("Test names")
struct TestNamesTests {
    @Test(
        "every kind of id that a test's name begins with is in the legend, and no name has the number of an issue"
    )
    func legend() throws {
        let legend = try Package.text("Tests/README.md")
        var kinds: Set<String> = []
        for file in Package.swiftFiles(below: "Tests") {
            let text = try Package.text(file)
            kinds.formUnion(
                text.matches(of: #/@Test\(\s*"([A-Z][A-Za-z]*[ -]?)\d[\d.]*[,:]/#).map { String($0.1) })
        }
        #expect(kinds.isSuperset(of: ["PK-", "R", "DESIGN "]))
        for kind in kinds {
            #expect(legend.contains("| `\(kind)"), "\(kind) is not in the legend")
        }
        #expect(!kinds.contains("Issue "))
    }
}
