import Foundation
import Testing

/// The program that explains the idea: what the pages show of it is what runs. DocumentationTests runs README's.
@Suite struct HelloPageTests {
    private static let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test(
        "README and the example's README show it whole, before any other code", arguments: ["", "Example/"])
    func shownWhole(folder: String) throws {
        let program = try Self.text("Example/HelloPage/main.swift")
        let page = try Self.text("\(folder)README.md")
        let first = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
        #expect(first.hasPrefix(program + "```\n"))
    }

    @Test("it has at most 45 lines of code")
    func short() throws {
        let lines = try Self.text("Example/HelloPage/main.swift").split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.count { !$0.isEmpty && !$0.hasPrefix("//") } <= 45)
    }
}
