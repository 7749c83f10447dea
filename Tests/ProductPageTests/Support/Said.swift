import Synchronization

@testable import ProductPage

/// What a tool has written, or a notice said, line by line.
final class Said: Sendable {
    private let log = Mutex<(data: [String], talk: [String])>(([], []))

    var data: [String] { log.withLock { $0.data } }
    var lines: [String] { log.withLock { $0.talk } }
    var notice: @Sendable (String) -> Void { { line in self.log.withLock { $0.talk.append(line) } } }

    func console(isWatched: Bool) -> Console {
        Console(
            data: { line in self.log.withLock { $0.data.append(line) } }, talk: notice, isWatched: isWatched)
    }
}
