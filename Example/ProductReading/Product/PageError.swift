import ToolSupport

/// Everything that can go wrong between the command line and a product on the page.
///
/// One case for each exit code that `--help` documents; a description is always one line that names the
/// source and the reason.
package enum PageError: Error, Sendable, Hashable, Codable {
    /// The command line, or what it asks for, makes no sense: the message says what to write instead.
    case usage(String)
    /// There is no such file, or no product in the data.
    case noInput(source: String, reason: String)
    /// The network or the server did not deliver; `retryAfter` is how long it wants to be left in peace.
    case unavailable(source: String, reason: String, retryAfter: Duration? = nil)
    /// The cart could not be read or kept; the file is as it was.
    case cart(path: String, reason: String)
    /// Anything else, in words.
    case failed(String)
}

extension PageError {
    /// The process's exit status, after `sysexits.h`.
    package var exitCode: Int32 {
        switch self {
        case .usage: 64
        case .noInput: 66
        case .unavailable: 69
        case .cart, .failed: 1
        }
    }
}

extension PageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .usage, .failed: reason.visible
        case .noInput(let source, _), .unavailable(let source, _, _): "\(source): \(reason)".visible
        case .cart(let path, _): "cart \(path): \(reason)".visible
        }
    }

    /// How long the server wants to be left in peace.
    package var retryAfter: Duration? { if case .unavailable(_, _, let pause) = self { pause } else { nil } }

    /// The reason, without the source.
    package var reason: String {
        switch self {
        case .usage(let reason), .failed(let reason), .noInput(_, let reason), .unavailable(_, let reason, _),
            .cart(_, let reason):
            reason
        }
    }
}
