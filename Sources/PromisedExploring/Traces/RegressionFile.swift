internal import Foundation
internal import Promise

/// A file with the traces of failures, which are tried first.
struct RegressionFile: Sendable {
    /// Files are read and written by one check at a time.
    private static let access = Lock(())

    let path: String

    /// - Parameters:
    ///   - path: Absolute, or relative to the folder of the test's source file.
    ///   - test: The path of the test's source file.
    init(_ path: String, beside test: StaticString) {
        let folder = URL(filePath: "\(test)").deletingLastPathComponent()
        self.path = URL(filePath: path, relativeTo: folder).standardizedFileURL.path(percentEncoded: false)
    }

    private var url: URL { URL(filePath: path) }

    /// The stored traces; none where there is no file.
    ///
    /// - Throws: A ``TraceProblem`` if the file cannot be read.
    func traces() throws -> [TraceDocument] { try Self.access.withLock { _ in try read() } }

    /// Appends a trace unless one with the same steps is stored.
    ///
    /// - Throws: An error if the file cannot be read or written. Then it stays as it was.
    func add(_ trace: TraceDocument) throws {
        try Self.access.withLock { _ in
            let stored = try read()
            if stored.contains(where: { $0.hasSameSteps(as: trace) }) { return }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(TraceDocument.text(stored + [trace]).utf8).write(to: url, options: .atomic)
        }
    }

    private func read() throws -> [TraceDocument] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw TraceProblem(description: "it is no readable text")
        }
        return try TraceDocument.list(json: text)
    }
}
