import Dispatch
import Foundation
import PromisedSystem

/// The products of a file, which may be a pipe, or of standard input.
struct FileSource: CatalogueSource {
    /// No product page comes near it; anything larger is a mistake or an attack.
    static let maximumBytes = 16 * 1024 * 1024

    private let name: String
    private let id: String
    private let content: @Sendable () -> Promise<[UInt8]>

    init(path: String) {
        (name, id) = (path, URL(filePath: path).standardizedFileURL.path)
        content = { Promise { try await Self.bytes(at: path) } }
    }

    /// Standard input is read once, when the first load asks for it.
    init(standardInput: Int32) {
        (name, id) = ("standard input", "-")
        let once = Promise { try await Self.bytes(of: standardInput, name: "standard input") }
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
            catalogue.id = id
            return catalogue
        }
    }

    /// The whole content. Waiting for it holds up no thread, and ends when the task is cancelled.
    static func bytes(at path: String, limit: Int = maximumBytes) async throws -> [UInt8] {
        // The system would see only what stands before the zero: another file.
        guard !path.utf8.contains(0) else {
            throw PageError.noInput(source: path, reason: "no path contains a zero byte")
        }
        // Or opening a pipe would wait until it is written to.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw PageError.noInput(source: path, reason: SystemReason.current) }
        return try await bytes(of: descriptor, name: path, limit: limit)
    }

    /// - Parameter descriptor: It is closed when the reading ends.
    private static func bytes(
        of descriptor: Int32, name: String, limit: Int = maximumBytes
    ) async throws -> [UInt8] {
        if isStream(descriptor) {
            return try await StreamReading.bytes(from: descriptor, path: name, limit: limit)
        }
        return try await withCheckedThrowingContinuation { continuation in
            // Disks wait too.
            DispatchQueue.global().async {
                let content = Result { try FileReading.content(of: descriptor, path: name, limit: limit) }
                close(descriptor)
                continuation.resume(with: content)
            }
        }
    }

    private static func isStream(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(descriptor) == 1
    }
}
