import Synchronization

@testable import ProductPage

/// What a tool has written, or a notice said, line by line.
final class Said: Sendable {
    private let log = Mutex<(data: [String], messages: [String])>(([], []))

    var data: [String] { log.withLock { $0.data } }
    var lines: [String] { log.withLock { $0.messages } }
    var notice: @Sendable (String) -> Void { { line in self.log.withLock { $0.messages.append(line) } } }

    func console(isInteractive: Bool) -> Console {
        Console(
            output: { line in self.log.withLock { $0.data.append(line) } }, message: notice,
            isInteractive: isInteractive)
    }
}
