import Foundation

/// Lines to the two streams: data to standard output, talk to standard error.
struct Console: Sendable {
    var data: @Sendable (String) -> Void
    var talk: @Sendable (String) -> Void
    /// Whether a person watches the talk: then progress is worth saying.
    var isWatched: Bool

    /// The process's own streams, unbuffered, so that a reader sees each line when it is shown.
    static let standard = Console(
        data: { line in if let problem = write(Array((line + "\n").utf8), to: 1) { end(problem) } },
        talk: { line in if !Terminal.hold(line) { _ = write(Array((line + "\n").utf8), to: 2) } },
        isWatched: isatty(2) == 1)

    /// Writes all of it.
    ///
    /// - Returns: Why it could not be written; nil when it was.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Problem? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                // No error has been set, and to try for ever would not help.
                return .failed("takes nothing")
            } else if errno == EAGAIN {
                // The stream was made one that does not wait; this waits in its place.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
            } else if errno != EINTR {
                return errno == EPIPE ? .noReader : .failed(SystemReason.current)
            }
        }
        return nil
    }

    enum Problem {
        case noReader
        case failed(String)
    }

    /// A page that reaches no reader is not worth finishing, and must not pass for one that was written.
    private static func end(_ problem: Problem) -> Never {
        switch problem {
        // As the signal would end it, where that is not ignored.
        case .noReader: _exit(128 + SIGPIPE)
        case .failed(let reason):
            _ = write(Array("product-page: standard output: \(reason)\n".utf8), to: 2)
            _exit(1)
        }
    }
}
