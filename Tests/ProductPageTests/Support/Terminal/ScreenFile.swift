import Foundation
import Testing

@testable import ProductPage

/// The screens that are kept in `Tests/Fixtures/Screens`, a file for each scene: at 20, 80 and 200 columns,
/// without and with colour. In colour each line has its looks below it, a letter a column: bold, faint, green,
/// yellow, red, cyan.
///
/// After a change that is meant, record them again and look at each of them:
///
///     RECORD_SCREENS=1 swift test --filter ScreenTests
enum ScreenFile {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Fixtures/Screens").standardized

    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SCREENS"] == "1"

    static let sizes = [(columns: 20, rows: 16), (columns: 80, rows: 24), (columns: 200, rows: 24)]

    /// Plays a scene on every size, and compares it with its file.
    static func compare(
        _ name: String, sourceLocation: Testing.SourceLocation = #_sourceLocation,
        scene: (_ columns: Int, _ rows: Int, _ hasColor: Bool) -> ScreenStage
    ) throws {
        var text = ""
        for (columns, rows) in sizes {
            for hasColor in [false, true] {
                let screen = scene(columns, rows, hasColor).screen
                #expect(screen.strange == [], sourceLocation: sourceLocation)
                text += "==== \(columns) columns, \(hasColor ? "with colour" : "without colour")\n"
                text += hasColor ? colored(screen) : screen.lines.map { $0 + "\n" }.joined()
            }
        }
        let file = folder.appending(path: name + ".txt")
        if isRecording {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == kept, "\(name).txt has another screen", sourceLocation: sourceLocation)
    }

    private static func colored(_ screen: TerminalScreen) -> String {
        zip(screen.lines, screen.looks).map { $0 + "\n" + ($1.isEmpty ? "" : $1.trimmed + "\n") }.joined()
    }
}

extension String {
    /// Without the points at its end.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == "." { text.removeLast() }
        return String(text)
    }
}
