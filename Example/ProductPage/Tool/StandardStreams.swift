import Foundation

/// The three descriptors that every program expects to have.
enum StandardStreams {
    /// Fills those that were closed when the process was started.
    ///
    /// The next file to be opened would get their number, and with it what is meant for the stream. Their
    /// stand-ins can only be read, so that writing still fails.
    static func fill() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
