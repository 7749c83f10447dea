import Foundation
import PromisedSystem

/// The products of a file, which may be a pipe, or of standard input.
struct FileSource: CatalogueSource {
    /// No product page comes near it; anything larger is a mistake or an attack.
    static let maximumBytes = 16 * 1024 * 1024

    private let name: String
    /// Nil for standard input, whose products tell what it is.
    private let id: String?
    private let content: @Sendable () -> Promise<[UInt8]>

    init(path: String) {
        (name, id) = (path, URL(filePath: path).standardizedFileURL.path)
        content = { Promise { try await Self.bytes(at: path) } }
    }

    /// Standard input is read once, when the first load asks for it.
    init(standardInput: Int32) {
        (name, id) = ("standard input", nil)
        let once = Promise {
            try await FileReading.bytes(of: standardInput, name: "standard input", limit: Self.maximumBytes)
        }
        .mapError { error in
            guard error is CancellationError else { return error }
            return PageError.noInput(
                source: "standard input", reason: "was cancelled, and cannot be read again")
        }
        content = { once }
    }

    func catalogue() -> Promise<Catalogue> {
        content().map { bytes in
            var catalogue = try ProductReader.read(bytes, from: name)
            let first = catalogue.products[0]
            catalogue.id = id ?? "- \(first.url ?? first.name)"
            return catalogue
        }
    }

    /// The whole content. Waiting for it holds up no caller, and ends when the task is cancelled.
    static func bytes(at path: String, limit: Int = maximumBytes) async throws -> [UInt8] {
        try await FileReading.bytes(of: FileReading.open(path), name: path, limit: limit)
    }
}
