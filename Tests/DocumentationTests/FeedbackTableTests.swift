import Testing

/// "All forms of feedback" is a table of them, and "Coming from feedback loops" has the published names: both are complete, and list only existing ones.
@Suite("Feedback table")
struct FeedbackTableTests {
    private static let catalog = "Sources/PromisedSystem/PromisedSystem.docc"
    private static let folder = "Sources/PromisedSystem/Effects"

    /// The names of the public ways to make a feedback that are declared in a folder.
    private static func declared(in folder: String) throws -> Set<String> {
        let files = Package.names(in: folder).filter { $0.hasPrefix("Feedback") && $0.hasSuffix(".swift") }
        let texts = try files.map { try Package.text("\(folder)/\($0)") }
        let forms = texts.flatMap { $0.matches(of: #/public (?:init|static (?:func|var) (\w+|<>))/#) }
        return Set(forms.map { $0.1.map(String.init) ?? "init" })
    }

    @Test("the table lists every form of feedback, and nothing else")
    func isComplete() throws {
        let lines = try Package.text("\(Self.catalog)/AllFeedbacks.md").split(separator: "\n")
        let table = lines.drop { $0 != "## Overview" }.dropFirst().prefix { !$0.hasPrefix("#") }
        let cells = table.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
        let named = cells.flatMap(Table.code).map { String($0.prefix { $0 != "(" }) }
        #expect(try Set(named) == Self.declared(in: Self.folder))
    }

    @Test("the table for those who come from feedback loops lists every published name")
    func hasPublishedNames() throws {
        let rows = try Table.rows(of: "\(Self.catalog)/ComingFromFeedbackLoops.md")
        let named = rows.filter { $0.first?.hasPrefix("FS-") == true }.flatMap { $0.flatMap(Table.words) }
        let published = try Self.declared(in: "\(Self.folder)/Published")
        #expect(published.count > 5)
        #expect(published.subtracting(named).subtracting(["init"]).isEmpty)
    }
}
