import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(WASILibc)
    import WASILibc
#else
    import Darwin
#endif

/// Reads a file that somebody has named, which may be a pipe that nobody writes to.
enum SourceFile {
    /// The whole content. Waiting for it holds up no thread, and ends when the task is cancelled.
    ///
    /// - Throws: `PageError.noInput`, as `FileReading` does, or `CancellationError`.
    static func bytes(at path: String, limit: Int) async throws -> [UInt8] {
        // The system would see only what stands before the zero: another file.
        guard !path.utf8.contains(0) else {
            throw PageError.noInput(source: path, reason: "no path contains a zero byte")
        }
        // Or opening a pipe would wait for somebody who writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw PageError.noInput(source: path, reason: SystemReason.current) }
        if isStream(descriptor) {
            return try await StreamReading.bytes(from: descriptor, path: path, limit: limit)
        }
        return try await withCheckedThrowingContinuation { continuation in
            // Disks wait too, and whoever asks has something else to do.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try FileReading.content(of: descriptor, path: path, limit: limit) })
                close(descriptor)
            }
        }
    }

    private static func isStream(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(descriptor) == 1
    }
}
