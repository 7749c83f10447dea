import Synchronization

@testable import ProductPage
@testable import ToolSupport

/// The lines that a tool has written or a notice was called with.
final class LineLog: Sendable {
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
