import Foundation

/// Where bytes come from: the disk and the network, or in tests two closures.
///
/// ```swift
/// let loader = SourceLoader(
///     file: { _ in Array("{}".utf8) }, web: { _, _ in throw CancellationError() }, memory: .none)
/// let catalogue = try await CatalogueLoading(source: .file(path: "a.json"), loader: loader).fresh()
/// ```
struct SourceLoader: Sendable {
    /// No product page comes near it; anything larger is a mistake or an attack.
    static let maximumBytes = 16 * 1024 * 1024

    var file: @Sendable (_ path: String) async throws -> [UInt8]
    var web: @Sendable (_ url: URL, _ known: (URL) -> WebPage?) async throws -> WebAnswer
    var memory: PageMemory
}

extension SourceLoader {
    /// The real disk and the real network.
    static let live = SourceLoader(
        file: { try await SourceFile.bytes(at: $0, limit: maximumBytes) },
        web: { try await WebReading.answer(at: $0, limit: maximumBytes, known: $1) },
        memory: PageMemory(folder: PageMemory.defaultFolder())
    )
}
