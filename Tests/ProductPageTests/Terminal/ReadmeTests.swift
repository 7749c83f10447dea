import Foundation
import Testing

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// What `Example/README.md` shows, against what is so.
@Suite struct ReadmeTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Example").standardized

    private let text: String

    init() throws {
        text = String(decoding: try Data(contentsOf: Self.folder.appending(path: "README.md")), as: UTF8.self)
    }

    @Test("its picture is a screen, line by line")
    func picture() throws {
        let parts = text.components(separatedBy: "```text\n")
        let picture = try #require(parts.dropFirst().first?.components(separatedBy: "\n```").first)
        let lamp = try #require(try BundledCatalogue.catalogue().products.first)
        var line = Cart.Line(lamp, from: BundledCatalogue.name)
        line.quantity = 2
        let page = ProductPage.Page(
            catalogue: try BundledCatalogue.catalogue(), index: 0, cart: Cart(lines: [line]))
        let view = TerminalView(state: .added(page, line), size: ScreenSize(columns: 72, rows: 17))
        let lines = view.frame.map(\.text)
        #expect(picture == lines.joined(separator: "\n"))
    }

    @Test("every key is in its table", arguments: KeyCommand.allCases)
    func keys(command: KeyCommand) {
        let keys = command.keys.map { "`\($0)`" }.joined(separator: " ")
        #expect(text.contains("| \(keys) | \(command.row.purpose) |"))
        #expect(command.keys.allSatisfy { KeyCommand(key: $0) == command })
    }

    @Test("every file that it leads to is there")
    func links() {
        let paths = text.components(separatedBy: "](").dropFirst().compactMap {
            $0.components(separatedBy: ")").first
        }
        #expect(paths.count > 15)
        for path in paths where !path.hasPrefix("https:") {
            #expect(
                FileManager.default.fileExists(atPath: Self.folder.appending(path: path).path), "\(path)")
        }
    }
}
