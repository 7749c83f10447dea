import Foundation

/// Where bytes come from: the disk and the network, or in tests two closures.
///
/// ```swift
/// let loader = SourceLoader(file: { _ in Array("{}".utf8) }, web: { _, _ in throw CancellationError() })
/// let bytes = try await loader.bytes(of: .file(path: "a.json"), timeout: .seconds(30))
/// ```
struct SourceLoader: Sendable {
    /// No product page comes near it; anything larger is a mistake or an attack.
    static let maximumBytes = 16 * 1024 * 1024

    var file: @Sendable (_ path: String) throws -> [UInt8]
    var web: @Sendable (_ url: URL, _ timeout: Duration) async throws -> [UInt8]

    /// The whole content of a file or an answer.
    ///
    /// - Throws: `PageError` with a reason in words, or `CancellationError` when the task was cancelled, in
    ///   which case the connection is closed.
    func bytes(of location: SourceLocation, timeout: Duration) async throws -> [UInt8] {
        switch location {
        case .file(let path): try file(path)
        case .web(let url): try await web(url, timeout)
        }
    }
}

extension SourceLoader {
    /// The real disk and the real network.
    static let live = SourceLoader(
        file: { try FileReading.bytes(at: $0, limit: maximumBytes) },
        web: { try await WebReading.bytes(at: $0, timeout: $1, limit: maximumBytes) }
    )
}
