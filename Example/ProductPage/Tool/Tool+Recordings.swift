import Foundation
import ProductCommands
import ProductReading
import PromisedRecording
import PromisedSystem
import ToolSupport

// Sessions that were recorded with --record.
extension Tool {
    /// - Returns: The exit code: 1 if a session is not what it was, or cannot be run again.
    func perform(_ command: RecordingCommand, _ options: Options) throws -> Int32 {
        switch command {
        case .replay(let paths):
            return paths.map { path in
                do { return try replay(path, options) } catch { console.report("\(error)") }
                return 1
            }.max() ?? 0
        case .report(let path, let page):
            let file = URL(filePath: path)
            let html = try Recording(contentsOf: path).html(
                title: file.deletingPathExtension().lastPathComponent)
            if URL(filePath: page).resolvingSymlinksInPath() == file.resolvingSymlinksInPath() {
                throw PageError.usage("the page would replace the recording; name another file after -o")
            }
            try write(html, to: page)
            console.output(page)
            return 0
        }
    }

    /// Not by replacing the file, which may be a device. Only its user can read it, as the recording.
    private func write(_ html: String, to page: String) throws {
        let descriptor = open(page, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, Console.write(Array(html.utf8), to: descriptor) else {
            throw PageError.failed("\(page) cannot be written: \(SystemReason.current)")
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
