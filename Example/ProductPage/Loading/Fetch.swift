import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the second process of the program does: fetches an address with a GET request, writes a line about the
/// answer and its body to standard output, and ends. See `WebSource`.
final class Fetch: NSObject, URLSessionDataDelegate {
    /// The first argument of such a process; the second is the address.
    static let argument = "--fetch-for-product-page"

    /// The first line of its output, as JSON.
    enum Head: Codable, Equatable {
        case page(charset: String?)
        case tooLarge
        case unavailable(String)
    }

    /// More than the first line takes.
    static let maximumHead = 4096

    static let maximumRedirects = 10

    /// JSON first: a server that has both need not send its whole page.
    private static let headers = [
        "Accept": "application/ld+json, application/json;q=0.9, text/html;q=0.8, */*;q=0.5",
        "User-Agent": "product-page/0.1.0",
    ]

    private struct State {
        var url: URL
        /// Callbacks of a task that was redirected are ignored.
        var task: URLSessionTask?
        var redirects = 0
        var response: HTTPURLResponse?
        var body = Data()
        var pieces = 0
    }

    private let state: Mutex<State>
    /// One for all redirects: some shops set a cookie and send the reader back.
    private let session = Mutex<URLSession?>(nil)

    private init(_ url: URL) { state = Mutex(State(url: url)) }

    /// Does nothing unless the arguments are those of such a process.
    static func runIfAsked(_ arguments: [String]) {
        guard arguments.count == 3, arguments[1] == argument, let url = URL(string: arguments[2]) else {
            return
        }
        // Standard input ends with the process that has asked, however that ends.
        let asking = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
        asking.setEventHandler { @Sendable in _exit(1) }
        asking.activate()
        Fetch(url).start()
        withExtendedLifetime(asking) { dispatchMain() }
    }

    private func start() {
        var request = URLRequest(url: state.withLock { Self.reachable($0.url) })
        for (name, value) in Self.headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = session.withLock { session in
            let known =
                session ?? URLSession(configuration: Self.configuration, delegate: self, delegateQueue: nil)
            session = known
            return known
        }
        let task = session.dataTask(with: request)
        state.withLock { $0.task = task }
        task.resume()
    }

    /// Foundation on Linux refuses the brackets of an IPv6 address, but not their codes.
    private static func reachable(_ url: URL) -> URL {
        #if canImport(FoundationNetworking)
            let text = url.absoluteString
            guard let start = text.range(of: "://[")?.upperBound, let end = text[start...].firstIndex(of: "]")
            else { return url }
            let host = text[start..<end].replacing(":", with: "%3A")
            return URL(string: text[..<start].dropLast() + "%5B\(host)%5D" + text[text.index(after: end)...])
                ?? url
        #else
            return url
        #endif
    }

    /// Nothing outlives the session: no cookies, no cache, no credentials.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // The limit on the whole load counts; this only keeps the session's own, of a minute, out of its way.
        configuration.timeoutIntervalForRequest = 86_400
        configuration.urlCache = nil
        return configuration
    }

    /// Writes the answer and ends the process.
    private static func end(_ head: Head, _ body: Data = Data()) -> Never {
        let line = ((try? JSONEncoder().encode(head)) ?? Data()) + Data("\n".utf8)
        _ = Console.write(Array(line + body), to: 1)
        _exit(0)
    }
}

// What the session reports, in its order.
extension Fetch {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Followed here and not by the session: on Linux that takes `file:` for a path on the same server, and
        // loses relative addresses.
        completionHandler(nil)
        if isCurrent(task) { follow(response.value(forHTTPHeaderField: "Location") ?? "") }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard isCurrent(dataTask), let response = response as? HTTPURLResponse else {
            return completionHandler(.allow)
        }
        state.withLock { $0.response = response }
        let (status, location) = (response.statusCode, response.value(forHTTPHeaderField: "Location"))
        if let location, [301, 302, 303, 307, 308].contains(status) {
            completionHandler(.cancel)
            return follow(location)
        }
        // Below 200 it is a word before the answer, which follows.
        if status >= 300 {
            let words = HTTPURLResponse.localizedString(forStatusCode: status).capitalized
            Self.end(.unavailable("answered \(status) \(words)"))
        }
        if response.expectedContentLength > Int64(FileSource.maximumBytes) { Self.end(.tooLarge) }
        completionHandler(.allow)
    }

    private func isCurrent(_ task: URLSessionTask) -> Bool { state.withLock { $0.task === task } }

    private func follow(_ location: String) {
        let next = state.withLock { state -> Result<Void, PageError> in
            state.redirects += 1
            return Result { () throws(PageError) in
                guard state.redirects <= Self.maximumRedirects else {
                    throw .unavailable(
                        source: "", reason: "redirects more than \(Self.maximumRedirects) times")
                }
                state.url = try Redirect.target(of: location, from: state.url, name: "")
            }
        }
        switch next {
        case .success: start()
        case .failure(let error): Self.end(.unavailable(error.reason))
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            guard state.task === dataTask else { return }
            state.body += data
            state.pieces += 1
            if state.body.count > FileSource.maximumBytes { Self.end(.tooLarge) }
            // Chunks of a byte each cost the session far more than they bring.
            if state.pieces > 4096, state.body.count < state.pieces * 64 {
                Self.end(.unavailable("sends its answer in too many small pieces"))
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard isCurrent(task) else { return }
        let (response, body) = state.withLock { ($0.response, $0.body) }
        if let error { Self.end(.unavailable(NetworkReason.words(for: error, hasBegun: response != nil))) }
        guard let response else {
            Self.end(.unavailable("the connection was closed without a proper answer"))
        }
        Self.end(
            .page(
                charset: PageCharset.charset(
                    ofContentType: response.value(forHTTPHeaderField: "Content-Type") ?? "")), body)
    }
}
