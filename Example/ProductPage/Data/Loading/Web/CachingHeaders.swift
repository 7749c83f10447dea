import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an answer's head says about remembering it.
enum CachingHeaders {
    /// Whether it may be remembered. `no-cache` is no obstacle: what is remembered is shown as something
    /// that is being checked, and is.
    static func allowKeeping(_ response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 200 else { return false }
        let directives = values(response, "Cache-Control").map { $0.prefix { $0 != "=" } }
        // An answer that depends on more than headers say is no answer to the next request.
        return !directives.contains("no-store") && !values(response, "Vary").contains("*")
    }

    /// What can be asked with later: one line of visible ASCII, as HTTP has it.
    static func validator(_ response: HTTPURLResponse, _ name: String) -> String? {
        guard let value = response.value(forHTTPHeaderField: name), !value.isEmpty, value.utf8.count <= 256,
            value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        return value
    }

    private static func values(_ response: HTTPURLResponse, _ name: String) -> [String] {
        (response.value(forHTTPHeaderField: name) ?? "").lowercased().split(separator: ",")
            .map { $0.filter { !$0.isWhitespace } }
    }
}
