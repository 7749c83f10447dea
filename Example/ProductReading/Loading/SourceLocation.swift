package import Foundation

/// Where the product data is: a file, standard input, or an address on the web.
package enum SourceLocation: Sendable, Equatable {
    case file(path: String)
    case standardInput
    case web(URL)
}

extension SourceLocation {
    /// Reads an argument: `http:` and `https:` are fetched, `-` is standard input, `file:` and everything
    /// without a scheme is a path.
    ///
    /// These three count without slashes too, so that a mistyped address is not looked for on the disk; any other
    /// word before a colon may be a file's name.
    ///
    /// - Throws: `PageError.usage` for an address that cannot be loaded.
    package init(_ text: String) throws(PageError) {
        guard !text.isEmpty else { throw .usage("SOURCE is empty; give a path or an http(s) address") }
        let match = text.prefixMatch(of: /(?:(https?|file):|([a-z][a-z0-9+.\-]*):\/\/)/.ignoresCase())
        guard let scheme = (match?.1 ?? match?.2)?.lowercased() else {
            self = text == "-" ? .standardInput : .file(path: text)
            return
        }
        // Foundation on Linux knows schemes in lower case only.
        let url = URL(string: scheme + text.dropFirst(scheme.count))
        switch scheme {
        case "http", "https":
            guard let url, url.host?.isEmpty == false, url.port ?? 0 <= UInt16.max else {
                throw .usage("\(text): not a valid address; it looks like https://example.com/product")
            }
            self = .web(url)
        case "file":
            guard let url, ["", "localhost"].contains(url.host ?? ""), !url.path.isEmpty
            else { throw .usage("\(text): not a file on this machine; it looks like file:///path/to/file") }
            self = .file(path: url.path)
        default:
            throw .usage("\(text): cannot load \(scheme): addresses, only http, https and file, or a path")
        }
    }

    /// The source in messages: as typed, but never with a password.
    package var name: String {
        switch self {
        case .file(let path): return path
        case .standardInput: return "standard input"
        case .web(let url):
            guard url.user != nil || url.password != nil,
                var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return url.absoluteString }
            (parts.user, parts.password) = (nil, nil)
            return parts.string ?? "the address"
        }
    }
}
