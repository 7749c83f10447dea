import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches an address with a GET request.
enum WebReading {
    /// JSON first: a server that has both need not send its whole page.
    static let accept = "application/ld+json, application/json;q=0.9, text/html;q=0.8, */*;q=0.5"

    static let maximumRedirects = 10

    /// The page at an address, after redirects.
    ///
    /// - Parameters:
    ///   - limit: How many bytes the page may have, unpacked.
    ///   - known: What is remembered of an address. The server is then asked for what is newer only.
    /// - Throws: `PageError`, or `CancellationError` when the task is cancelled, which also cancels the
    ///   request.
    static func answer(
        at url: URL, limit: Int, known: (URL) -> WebPage? = { _ in nil }
    ) async throws -> WebAnswer {
        let name = SourceLocation.web(url).name
        var url = url
        var isPermanentAddress = true
        // Redirects are followed here and not by the session: on Linux that takes `file:` for a path on the
        // same server, and loses relative addresses.
        for _ in 0...maximumRedirects {
            let known = known(url)
            switch (try await exchange(url, name: name, limit: limit, known), known) {
            case (.page(let page, let mayBeKept), _):
                return .fresh(page, .init(isAllowed: mayBeKept, isPermanentAddress: isPermanentAddress))
            case (.unchanged, let known?): return .unchanged(known)
            case (.unchanged, nil):
                throw PageError.unavailable(source: name, reason: "answered 304 Not Modified")
            case (.redirect(let location, let isPermanent), _):
                url = try Redirect.target(of: location, from: url, name: name)
                isPermanentAddress = isPermanentAddress && isPermanent
            }
        }
        throw PageError.unavailable(source: name, reason: "redirects more than \(maximumRedirects) times")
    }

    private static func exchange(
        _ url: URL, name: String, limit: Int, _ known: WebPage?
    ) async throws -> WebExchange.Answer {
        try Task.checkCancellation()
        let request = request(url, known)
        let exchange = WebExchange(
            url, name: name, limit: limit,
            isConditional: request.value(forHTTPHeaderField: "If-None-Match") != nil
                || request.value(forHTTPHeaderField: "If-Modified-Since") != nil)
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
        // A session keeps its delegate until it is told that no more is to come.
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await exchange.answer { task.resume() }
        } onCancel: {
            // The caller need not wait for the session to notice.
            exchange.cancel(task)
        }
    }

    private static func request(_ url: URL, _ known: WebPage?) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue(accept, forHTTPHeaderField: "Accept")
        request.setValue(known?.entityTag, forHTTPHeaderField: "If-None-Match")
        request.setValue(known?.lastModified, forHTTPHeaderField: "If-Modified-Since")
        return request
    }

    /// Nothing is stored by the session: no cookies, no cache, no credentials.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // The limit on the whole load counts; this only keeps the session's own, of a minute, out of its way.
        configuration.timeoutIntervalForRequest = 86_400
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return configuration
    }
}
