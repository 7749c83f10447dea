import Foundation
import Synchronization

/// Appends lines to a file, which may be a pipe or a device as well.
package final class LineFile: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let name: String
    private let descriptor: Int32
    private let hasFailed = Mutex(false)

    /// Opened without blocking: no reader of a pipe, or a slow one, may hold up the program.
    ///
    /// - Parameter name: The file in messages.
    /// - Throws: `Failure` where the path cannot be written to.
    package init(path: String, name: String) throws(Failure) {
        self.name = name
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw failure }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Each line is written whole and at once, so that several processes can share a file.
    ///
    /// - Returns: The failure to write, the first of several in a row.
    package func append(_ line: String) -> Failure? {
        hasFailed.withLock { hasFailed in
            let line = Array((line + "\n").utf8)
            let hadFailed = hasFailed
            errno = ENOSPC  // For a line that is written in part, which sets no error.
            hasFailed = write(descriptor, line, line.count) < line.count
            return hasFailed && !hadFailed ? failure : nil
        }
    }

    /// That of the last call of the system.
    private var failure: Failure {
        let reasons = [ENXIO: "it is a pipe without a reader", EAGAIN: "its reader is too slow"]
        return Failure(description: "\(name): cannot be written: \(reasons[errno] ?? SystemReason.current)")
    }
}
