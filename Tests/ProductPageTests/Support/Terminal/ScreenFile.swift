import Foundation
import Testing

@testable import ProductPage
@testable import ToolSupport

/// The screens that are kept in `Tests/Fixtures/Screens`, a file for each scene: on every size, without and with
/// colour. In colour each line has its looks below it, a letter a column.
///
/// After a change that is meant, record them again and look at each of them:
///
///     RECORD_SCREENS=1 swift test --filter ScreenTests
enum ScreenFile {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Fixtures/Screens").standardized
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SCREENS"] == "1"

    /// Plays a scene on every size, and compares it with its file.
    static func compare(
        _ name: String, _ scene: (_ columns: Int, _ rows: Int, _ hasColor: Bool) -> TerminalScreen
    ) throws {
        var text = ""
        for (columns, rows) in [(20, 6), (40, 12), (80, 24)] {
            for hasColor in [false, true] {
                let screen = scene(columns, rows, hasColor)
                #expect(screen.strange == [])
                text += "==== \(columns) x \(rows), \(hasColor ? "with colour" : "without colour")\n"
                for (line, look) in zip(screen.lines, screen.looks) {
                    text += line + "\n" + (look.isEmpty ? "" : look + "\n")
                }
            }
        }
        let file = folder.appending(path: name + ".txt")
        if isRecording { try Data(text.utf8).write(to: file) }
        let kept = try? String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(text == kept, "\(name).txt has another screen")
    }
}
