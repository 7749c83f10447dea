import Foundation

/// Reads files with the system's own calls, whose reasons Foundation would blur.
enum FileReading {
    /// The whole content, in the calling thread.
    ///
    /// - Throws: `PageError.noInput` with the system's reason, or when there is more than `limit`: the size
    ///   is counted while reading, since a device does not know its own.
    static func content(of descriptor: Int32, path: String, limit: Int) throws(PageError) -> [UInt8] {
        func failure(_ reason: String) -> PageError { .noInput(source: path, reason: reason) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(SystemReason.current)
            }
            if count == 0 { return content }
            content += chunk[..<count]
            guard content.count <= limit else {
                throw failure("is larger than \(limit / 1_048_576) MiB")
            }
        }
    }

    /// The same of a file, and of nothing that could make it wait: a pipe, a device.
    static func bytes(ofRegularFile path: String, limit: Int) throws(PageError) -> [UInt8] {
        func failure(_ reason: String) -> PageError { .noInput(source: path, reason: reason) }
        // The system would see only what stands before the zero: another file.
        guard !path.utf8.contains(0) else { throw failure("no path contains a zero byte") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        var status = stat()
        guard descriptor >= 0 else { throw failure(SystemReason.current) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0 else { throw failure(SystemReason.current) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw failure("is a directory")
        default: throw failure("is no regular file")
        }
        return try content(of: descriptor, path: path, limit: limit)
    }
}
