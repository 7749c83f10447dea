import Foundation

/// Where the product data is: a file, standard input, or an address on the web.
enum SourceLocation: Sendable, Equatable {
    case file(path: String)
    case standardInput
    case web(URL)
}

extension SourceLocation {
    /// Reads what was typed: `http:` and `https:` are fetched, `-` is standard input, `file:` and everything
    /// without a scheme is a path.
    ///
    /// - Throws: `PageError.usage` for an address that cannot be loaded.
    init(_ text: String) throws(PageError) {
        guard !text.isEmpty else { throw .usage("SOURCE is empty; give a path or an http(s) address") }
        guard let scheme = Self.scheme(of: text) else {
            self = text == "-" ? .standardInput : .file(path: text)
            return
        }
        switch scheme {
        case "http", "https":
            guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
                throw .usage("\(text): not a valid address; it looks like https://example.com/product")
            }
            // Foundation on Linux knows schemes in lower case only.
            self = .web(
                URL(string: scheme + text[text.index(text.startIndex, offsetBy: scheme.count)...]) ?? url)
        case "file":
            guard let url = URL(string: text), ["", "localhost"].contains(url.host ?? ""), !url.path.isEmpty
            else { throw .usage("\(text): not a file on this machine; it looks like file:///path/to/file") }
            self = .file(path: url.path)
        default:
            throw .usage("\(text): cannot load \(scheme): addresses, only http, https and file, or a path")
        }
    }

    /// What messages call it: as typed, but never with a password.
    var name: String {
        switch self {
        case .file(let path): return path
        case .standardInput: return "standard input"
        case .web(let url):
            guard url.user != nil || url.password != nil,
                var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return url.absoluteString }
            parts.user = nil
            parts.password = nil
            return parts.string ?? url.host ?? "the address"
        }
    }

    /// In lower case. `file:` and `http:` count without slashes too, so that a mistyped address is not
    /// looked for on the disk; any other word before a colon may be a file's name.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.first, first.isLetter, scheme.allSatisfy({ $0.isASCII && $0.isSchemePart })
        else { return nil }
        let isAddress = text[colon...].hasPrefix("://") || ["http", "https", "file"].contains(scheme)
        return isAddress ? scheme : nil
    }
}

extension Character {
    fileprivate var isSchemePart: Bool { isLetter || isNumber || "+-.".contains(self) }
}
