internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension URLRequest {
    /// The request as it may be sent on a redirect. What was set for one server is not given to another one: with
    /// another scheme, host or port, the header of the request's own is dropped, except for the type of a body that is
    /// sent on.
    func redirected(from url: URL?) -> URLRequest {
        guard url?.origin != self.url?.origin else { return self }
        var request = self
        let hasBody = httpBody != nil || httpBodyStream != nil
        for name in (allHTTPHeaderFields ?? [:]).keys where !(hasBody && name.lowercased() == "content-type")
        {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        return request
    }
}

extension URL {
    /// The scheme, the host and the port, as text that is equal for equal servers.
    fileprivate var origin: String? {
        guard let scheme = scheme?.lowercased(), let host = host()?.lowercased() else { return nil }
        return "\(scheme) \(host) \(port ?? (scheme == "https" ? 443 : 80))"
    }
}
