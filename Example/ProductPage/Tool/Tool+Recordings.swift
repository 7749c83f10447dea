import Foundation
import ProductCommands
import PromisedRecording
import PromisedSystem
import ToolSupport

// Sessions that were recorded with --record.
extension Tool {
    /// - Returns: The exit code: 1 if a session is not what it was.
    func perform(_ command: RecordingCommand, _ options: Options) throws -> Int32 {
        switch command {
        case .replay(let paths):
            return try paths.map { try replay($0, options) }.max() ?? 0
        case .report(let path, let page):
            let title = URL(filePath: path).deletingPathExtension().lastPathComponent
            let html = try Recording(contentsOf: path).html(title: title)
            try html.write(toFile: page, atomically: true, encoding: .utf8)
            console.output(page)
            return 0
        }
    }

    private func replay(_ path: String, _ options: Options) throws -> Int32 {
        var isFolder = ObjCBool(false)
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            let result = replayFolder(path) { try run($0, options) }
            console.output("\(result)")
            return result.exitCode
        }
        let result = try run(Recording(contentsOf: path), options)
        console.output("\(result)")
        return result.isSame ? 0 : 1
    }

    /// The page as it is today, with the answers that it got then.
    private func run(_ recording: Recording, _ options: Options) throws -> RunResult {
        try recording.run(ProductPage.State.self, ProductPage.Event.self, as: "page") { start in
            ProductPage.system(
                effects: effects(options), initialState: start.state, scheduler: start.scheduler)
        }
    }
}
