import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches an address with a GET request.
enum WebReading {
    /// JSON first: a server that has both need not send its whole page.
    static let accept = "application/ld+json, application/json;q=0.9, text/html;q=0.8, */*;q=0.5"

    static let maximumRedirects = 10

    /// The body of the answer, after redirects. `timeout` is for all of it, not for each pause.
    ///
    /// - Throws: `PageError`, or `CancellationError` when the task is cancelled, which also cancels the
    ///   request.
    static func bytes(at url: URL, timeout: Duration, limit: Int) async throws -> [UInt8] {
        let name = SourceLocation.web(url).name
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await follow(url, name: name, limit: limit) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw PageError.unavailable(
                    source: name, reason: "no answer within \(seconds(timeout)) s")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    /// Redirects are followed here and not by the session: on Linux that takes `file:` for a path on the
    /// same server, and loses relative addresses.
    private static func follow(_ url: URL, name: String, limit: Int) async throws -> [UInt8] {
        var url = url
        for _ in 0...maximumRedirects {
            switch try await exchange(url, name: name, limit: limit) {
            case .body(let bytes): return bytes
            case .redirect(let location):
                url = try Redirect.target(of: location, from: url, name: name)
            }
        }
        throw PageError.unavailable(source: name, reason: "redirects more than \(maximumRedirects) times")
    }

    private static func exchange(_ url: URL, name: String, limit: Int) async throws -> WebExchange.Answer {
        try Task.checkCancellation()
        let exchange = WebExchange(name: name, limit: limit)
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
        // A session keeps its delegate until it is told that no more is to come.
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: url)
        request.setValue(accept, forHTTPHeaderField: "Accept")
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await exchange.answer { task.resume() }
        } onCancel: {
            // The caller need not wait for the session to notice.
            exchange.cancel(task)
        }
    }

    /// Nothing is stored: no cookies, no cache, no credentials.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // The deadline above counts; this only keeps the session's own, of a minute, out of its way.
        configuration.timeoutIntervalForRequest = 86_400
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return configuration
    }

    private static func seconds(_ duration: Duration) -> String {
        let hundredths = Int((duration / .milliseconds(10)).rounded())
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        return DecimalText.plain(Decimal(hundredths) / 100)
    }
}
