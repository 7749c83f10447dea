import Testing

/// The page "The way of an event" refers to files and declarations that exist.
@Suite("The way of an event")
struct WayOfAnEventTests {
    private static let folder = "Sources/PromisedSystem"
    private static let page = "\(folder)/PromisedSystem.docc/TheWayOfAnEvent.md"

    @Test("the files on the page exist")
    func files() throws {
        let text = try Package.text(Self.page)
        let files = Set(text.matches(of: #/[\w+\/]+\.swift/#).map { String($0.output) })
        #expect(!files.isEmpty)
        for file in files {
            #expect(Package.exists("\(Self.folder)/\(file)"), "there is no file '\(file)' in \(Self.folder)")
        }
    }

    @Test("each step names a file of the page and a declaration in it")
    func steps() throws {
        let steps = try Table.rows(of: Self.page).dropFirst()
        #expect(!steps.isEmpty)
        for cells in steps {
            let file = try #require(cells[1].firstMatch(of: #/`(.+)`/#).map { String($0.1) })
            let words = Set(Table.words(try Package.text("\(Self.folder)/\(file)")))
            for name in Table.code(in: cells[3]) where !words.contains(name) {
                Issue.record("'\(name)' is not in \(file)")
            }
        }
    }
}
