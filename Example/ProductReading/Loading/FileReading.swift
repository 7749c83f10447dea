import Foundation
import ToolSupport

/// Reads files, pipes and terminals with the system's own calls, whose reasons Foundation would blur.
package enum FileReading {
    /// A file, and nothing that could make the caller wait: no pipe, no device.
    ///
    /// - Throws: `PageError.noInput` with the system's reason.
    package static func bytes(ofRegularFile path: String, limit: Int) throws(PageError) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .noInput(source: path, reason: SystemReason.current)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return try content(of: descriptor, name: path, limit: limit) { false }
        case S_IFDIR: throw .noInput(source: path, reason: "is a directory")
        default: throw .noInput(source: path, reason: "is no regular file")
        }
    }

    /// Opened as what never waits: opening a pipe would wait until it is written to.
    package static func open(_ path: String) throws(PageError) -> Int32 {
        // The system would see only what stands before the zero: another file.
        guard !path.utf8.contains(0) else {
            throw .noInput(source: path, reason: "no path contains a zero byte")
        }
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .noInput(source: path, reason: SystemReason.current) }
        return descriptor
    }

    /// Everything up to the end, however long that takes; what there is where it is cancelled before.
    ///
    /// The size is counted while reading, since a device does not know its own.
    ///
    /// - Parameters:
    ///   - descriptor: Of an open file or pipe; the caller closes it.
    ///   - isCancelled: Asked at least ten times a second.
    /// - Throws: `PageError.noInput` with the system's reason, or for more than `limit` bytes.
    package static func content(
        of descriptor: Int32, name: String, limit: Int, unless isCancelled: () -> Bool
    ) throws(PageError) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isCancelled() {
            // Now and then it looks whether it is still wanted: a pipe may never end.
            guard poll(&event, 1, 100) != 0 else { continue }
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count < 0, errno != EINTR, errno != EAGAIN {
                throw .noInput(source: name, reason: SystemReason.current)
            }
            content += chunk[..<max(count, 0)]
            guard content.count <= limit else {
                throw .noInput(source: name, reason: "is larger than \(limit / 1_048_576) MiB")
            }
        }
        return content
    }
}
