import Foundation

/// Where a redirect leads, if it may.
enum Redirect {
    /// - Throws: `PageError.unavailable`: a page must not send its reader to a local file, or from a
    ///   protected connection to an open one.
    static func target(of location: String, from url: URL, name: String) throws(PageError) -> URL {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased()
        else { throw .unavailable(source: name, reason: "redirects to something that is no address") }
        guard scheme == "http" || scheme == "https" else {
            throw .unavailable(
                source: name, reason: "redirects to a \(scheme): address, which is not followed")
        }
        guard let host = target.host, !host.isEmpty else {
            throw .unavailable(source: name, reason: "redirects to an address without a host")
        }
        guard scheme == "https" || url.scheme?.lowercased() != "https" else {
            throw .unavailable(source: name, reason: "redirects from https to http, which is not followed")
        }
        return target
    }
}
