import Foundation
import Testing

/// The version of the package, which is a tag for SwiftPM. Here it stands in the changelog, and in one line of code.
@Suite("Version")
struct VersionTests {
    private static let code = "Example/ToolSupport/Version.swift"

    private static func releases() throws -> [(version: [Int], date: String)] {
        try Package.text("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## ") }.map { line in
            let heading = try #require(
                line.wholeMatch(of: #/## (\d+)\.(\d+)\.(\d+) - (Unreleased|\d{4}-\d\d-\d\d)/#),
                "CHANGELOG.md: \(line) is no version with its date")
            return ([heading.1, heading.2, heading.3].compactMap { Int($0) }, String(heading.4))
        }
    }

    @Test("the changelog has the versions in order, with their dates; only the newest may be unreleased")
    func changelog() throws {
        let releases = try Self.releases()
        #expect(!releases.isEmpty)
        for (newer, older) in zip(releases, releases.dropFirst()) {
            #expect(older.version.lexicographicallyPrecedes(newer.version))
            #expect(older.date != "Unreleased")
            #expect(older.date <= newer.date)
        }
    }

    @Test("the tools have the newest version of the changelog, and no other file states it")
    func onePlace() throws {
        let newest = try #require(Self.releases().first).version.map(String.init).joined(separator: ".")
        #expect(try Package.text(Self.code).contains("= \"\(newest)\""))
        let workflows = Package.names(in: ".github/ISSUE_TEMPLATE").map { ".github/ISSUE_TEMPLATE/\($0)" }
        let files = ["Sources", "Example", "Tests"].flatMap(Package.swiftFiles) + Package.texts + workflows
        for file in files where file != Self.code && file != "CHANGELOG.md" {
            #expect(try !Package.text(file).contains(newest), "\(file) states the version")
        }
    }

    @Test("the Swift Package Index builds the pages of every product")
    func packageIndex() throws {
        let manifest = try Package.text("Package.swift")
        let products = manifest.matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.1) }
        let index = try Package.text(".spi.yml")
        let targets = try #require(index.firstMatch(of: #/documentation_targets:\s*\[([^\]]*)\]/#))
        #expect(products.count > 5)
        #expect(Set(Table.words(targets.1)) == Set(products))
    }
}
