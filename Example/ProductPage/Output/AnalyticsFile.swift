import Foundation
import Synchronization

/// Appends a line for every tracked event to a file, which may be a pipe or a device as well.
final class AnalyticsFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let hasFailed = Mutex(false)

    /// Opened as what never waits: no reader of a pipe, or a slow one, may hold up the page.
    ///
    /// - Throws: `PageError` with the reason when there is no writing to that path.
    init(path: String) throws(PageError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, Self.reason) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Each line is written whole and at once, so that several processes can share a file.
    ///
    /// - Returns: The failure to write, the first of several in a row: it never ends the page.
    func append(_ tracked: Tracked) -> PageError? {
        hasFailed.withLock { hasFailed in
            let line = Array((tracked.jsonLine + "\n").utf8)
            var count = 0
            repeat { count = write(descriptor, line, line.count) } while count < 0 && errno == EINTR
            let hadFailed = hasFailed
            hasFailed = count < line.count
            guard hasFailed, !hadFailed else { return nil }
            return Self.failure(path, count < 0 ? Self.reason : "there was no room for a whole line")
        }
    }

    private static var reason: String {
        switch errno {
        case ENXIO: "it is a pipe without a reader"
        case EAGAIN: "its reader is too slow"
        default: SystemReason.current
        }
    }

    private static func failure(_ path: String, _ reason: String) -> PageError {
        .failed("analytics \(path): cannot be written: \(reason)")
    }
}
