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
        guard descriptor >= 0 else { throw failure }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Each line is written whole and at once, so that several processes can share a file.
    ///
    /// - Returns: The failure to write, the first of several in a row: it never ends the page.
    func append(_ event: AnalyticsEvent) -> PageError? {
        hasFailed.withLock { hasFailed in
            let line = Array((event.jsonLine + "\n").utf8)
            let hadFailed = hasFailed
            errno = ENOSPC  // For what is written in part, which is no error.
            hasFailed = write(descriptor, line, line.count) < line.count
            return hasFailed && !hadFailed ? failure : nil
        }
    }

    private var failure: PageError {
        let reasons = [ENXIO: "it is a pipe without a reader", EAGAIN: "its reader is too slow"]
        return .failed("analytics \(path): cannot be written: \(reasons[errno] ?? SystemReason.current)")
    }
}
