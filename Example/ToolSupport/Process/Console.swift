import Foundation

/// Lines to the two streams: output to standard output, messages to standard error.
package struct Console: Sendable {
    package var output: @Sendable (String) -> Void
    package var message: @Sendable (String) -> Void
    /// Whether a terminal shows the messages: then progress is worth a line.
    package var isInteractive: Bool

    /// - Parameters:
    ///   - output: Called with each line for standard output, on any thread.
    ///   - message: Called with each line for standard error, on any thread.
    ///   - isInteractive: Whether a terminal shows the messages.
    package init(
        output: @escaping @Sendable (String) -> Void, message: @escaping @Sendable (String) -> Void,
        isInteractive: Bool
    ) {
        (self.output, self.message, self.isInteractive) = (output, message, isInteractive)
    }

    /// A message with the name of the program, as its errors have it.
    package func report(_ problem: some CustomStringConvertible) { message("product-page: \(problem)") }

    /// The process's own streams, unbuffered, so that a reader sees each line when it is shown.
    package static let standard = Console(
        output: { line in
            if write(Array((line + "\n").utf8), to: 1) { return }
            // A page that reaches no reader is not worth finishing, and must not pass for one that was written:
            // it ends as the signal would end it, where that is not ignored.
            if errno == EPIPE { _exit(128 + SIGPIPE) }
            _ = write(Array("product-page: standard output: \(SystemReason.current)\n".utf8), to: 2)
            _exit(1)
        },
        message: { line in if !Terminal.deferMessage(line) { _ = write(Array((line + "\n").utf8), to: 2) } },
        isInteractive: isatty(2) == 1)

    /// Gives each standard stream that was closed before the start a stand-in that can only be read. The next file to be
    /// opened would get its number otherwise, and with it the text for the stream. Called before anything is opened.
    package static func replaceClosedStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes all of it.
    ///
    /// - Returns: Whether it was written; `errno` says why not.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // For a stream that takes nothing: that sets no error, and the loop would be endless.
            errno = EIO
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // The stream was made one that does not wait; this waits in its place.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
