import Testing

/// What no page says: its readers have neither the list of requirements nor a roadmap.
@Suite("Page words")
struct PageWordsTests {
    /// The pages for users of the library.
    private static let pages = Package.pages.filter { !$0.hasPrefix(".github") }

    @Test(
        "a page has row ids in the first column of its tables only, and says what they are", arguments: pages)
    func rowIDs(page: String) throws {
        let lines = try Package.text(page).split(separator: "\n", omittingEmptySubsequences: false)
        var hasIDs = false
        for (index, line) in lines.enumerated() {
            let isRow = line.contains(#/^\| [A-Z]{2}-\d\d \|/#)
            hasIDs = hasIDs || isRow
            let rest = isRow ? line.split(separator: "|").dropFirst().joined() : String(line)
            #expect(!rest.contains(#/\b(PK|FS|SR|SA|OS)-\d\d/#), "\(page):\(index + 1) speaks of a row")
        }
        if hasIDs {
            #expect(lines.contains { $0.contains("The ids number") }, "\(page) does not say what its ids are")
        }
    }

    @Test("no page announces a feature that already exists", arguments: pages)
    func announcements(page: String) throws {
        #expect(try !Package.text(page).contains("arrives with"))
    }
}
