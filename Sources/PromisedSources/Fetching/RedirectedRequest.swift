internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension URLRequest {
    /// The request that follows from an answer; nil if the answer is the end.
    ///
    /// - Throws: An `URLError` if it can't be sent: to an address of no web server, or with a stream that was sent
    ///   already.
    func redirected(by answer: LoadedData) throws -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.header("Location"),
            let target = URL(string: location, relativeTo: url)?.absoluteURL
        else { return nil }
        guard ["http", "https"].contains(target.scheme?.lowercased()) else { throw URLError(.unsupportedURL) }
        var request = self
        request.url = target
        if answer.status == 303 ? httpMethod != "HEAD" : answer.status < 303 && httpMethod == "POST" {
            request.httpMethod = "GET"
            (request.httpBody, request.httpBodyStream) = (nil, nil)
        }
        guard request.httpBodyStream == nil else { throw URLError(.requestBodyStreamExhausted) }
        return request.redirected(from: url)
    }

    /// The request as it may be sent on a redirect. Settings for one server are not given to another one: with
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

extension LoadedData {
    /// The answer with the address of its request.
    func from(_ request: URLRequest) -> LoadedData {
        var answer = self
        answer.address = request.url
        return answer
    }
}

extension URL {
    /// The scheme, the host and the port, as text that is equal for equal servers.
    fileprivate var origin: String? {
        guard let scheme = scheme?.lowercased(), let host = host()?.lowercased() else { return nil }
        return "\(scheme) \(host) \(port ?? (scheme == "https" ? 443 : 80))"
    }
}
