import Foundation
import ProductReading
import PromisedSystem

/// The products of a file, which may be a pipe, or of standard input.
struct FileSource: CatalogueSource {
    private let name: String
    /// Nil for standard input, which its products identify.
    private let id: String?
    private let content: @Sendable () -> Promise<[UInt8]>
    /// The day of the prices.
    var today: @Sendable () -> Day = { Day() }

    init(path: String) {
        (name, id) = (path, URL(filePath: path).standardizedFileURL.path)
        content = { Self.bytes(name: path) { try FileReading.open(path) } }
    }

    /// Standard input is read once, when the first load asks for it.
    init(standardInput: Int32) {
        (name, id) = ("standard input", nil)
        let once = Self.bytes(name: "standard input") { standardInput }.mapError { error in
            guard error is CancellationError else { return error }
            return PageError.noInput(
                source: "standard input", reason: "was cancelled, and cannot be read again")
        }
        content = { once }
    }

    func catalogue() -> Promise<Catalogue> {
        content().map { bytes in
            var catalogue = try ProductReader.read(bytes, from: name, today: today())
            let first = catalogue.products[0]
            catalogue.id = id ?? "- \(first.url ?? first.name)"
            return catalogue
        }
    }

    /// Everything up to the end, however long that takes, until the promise is cancelled.
    ///
    /// - Parameter open: Returns the descriptor to read, which is closed afterwards; called on the scheduler that reads.
    static func bytes(
        name: String, limit: Int = ProductReader.maximumBytes, of open: @escaping @Sendable () throws -> Int32
    ) -> Promise<[UInt8]> {
        Promise(on: .serial("product-page.reading")) { isCancelled in
            let descriptor = try open()
            defer { close(descriptor) }
            return try FileReading.content(of: descriptor, name: name, limit: limit, unless: isCancelled)
        }
    }
}
