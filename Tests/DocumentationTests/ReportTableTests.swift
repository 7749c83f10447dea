import Testing

/// The page "Errors you will see, and their cures" has a table of the problems that a running program reports: it is
/// complete, and lists only problems that are reported.
@Suite("Report table")
struct ReportTableTests {
    private static let page = "Sources/PromisedSystem/PromisedSystem.docc/ErrorsAndCures.md"
    private static let sources = [
        "Sources/Promise/Errors/PromiseProblem.swift",
        "Sources/PromisedSystem/Reports/SystemProblem.swift",
    ]

    @Test("the table lists every problem that is reported, and nothing else")
    func isComplete() throws {
        let cases = try Self.sources.flatMap { try Package.text($0).split(separator: "\n") }
            .compactMap { $0.wholeMatch(of: #/    case (\w+).*/#) }
        let lines = try Package.text(Self.page).split(separator: "\n")
        let table = lines.drop { !$0.hasPrefix("## What a running program reports") }
            .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        let named = table.compactMap { $0.firstMatch(of: #/^\| `(\w+)`/#) }.map { String($0.1) }
        #expect(!cases.isEmpty)
        #expect(Set(named) == Set(cases.map { String($0.1) }))
    }
}
