#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads files with the system's own calls, whose reasons Foundation would blur.
enum FileReading {
    /// The whole file, in the calling thread.
    ///
    /// - Throws: `PageError.noInput` with the system's reason, or when there is more than `limit`: the size
    ///   is counted while reading, since a pipe or a device does not know its own.
    static func bytes(at path: String, limit: Int) throws(PageError) -> [UInt8] {
        func failure(_ reason: String) -> PageError { .noInput(source: path, reason: reason) }
        // The system would see only what stands before the zero: another file.
        guard !path.utf8.contains(0) else { throw failure("no path contains a zero byte") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(SystemReason.current) }
        defer { close(descriptor) }
        return try content(of: descriptor, path: path, limit: limit)
    }

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

    /// The same, but of nothing that could make it wait.
    static func bytes(ofRegularFile path: String, limit: Int) throws(PageError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0 else { throw .noInput(source: path, reason: SystemReason.current) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .noInput(source: path, reason: "is no regular file")
        }
        return try content(of: descriptor, path: path, limit: limit)
    }
}
