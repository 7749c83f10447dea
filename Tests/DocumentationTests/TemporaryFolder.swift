import Foundation

/// Provides a new folder and removes it afterwards.
func withTemporaryFolder<Result: Sendable>(_ work: (URL) async throws -> Result) async throws -> Result {
    let name = "PromisedSystem-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name).resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await work(folder)
}
