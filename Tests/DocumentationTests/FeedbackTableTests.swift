import Testing

/// The page "Which feedback when" has a table of all forms: it is complete, and lists only existing ones.
@Suite("Feedback table")
struct FeedbackTableTests {
    private static let page = "Sources/PromisedSystem/PromisedSystem.docc/WhichFeedbackWhen.md"
    private static let folder = "Sources/PromisedSystem/Effects"

    /// The names of all public ways to make a feedback, as they are declared.
    private static var declared: Set<String> {
        get throws {
            let files = Package.names(in: folder).filter {
                $0.hasPrefix("Feedback") && $0.hasSuffix(".swift")
            }
            let texts = try files.map { try Package.text("\(folder)/\($0)") }
            let forms = texts.flatMap { $0.matches(of: #/public (?:init|static (?:func|var) (\w+|<>))/#) }
            return Set(forms.map { $0.1.map(String.init) ?? "init" })
        }
    }

    @Test("the table lists every form of feedback, and nothing else")
    func isComplete() throws {
        let lines = try Package.text(Self.page).split(separator: "\n")
        let table = lines.drop { $0 != "## All forms" }.dropFirst().prefix { !$0.hasPrefix("#") }
        let cells = table.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
        let named = cells.flatMap(Table.code).map { String($0.prefix { $0 != "(" }) }
        #expect(try Set(named) == Self.declared)
    }
}
