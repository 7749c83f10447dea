import Foundation
import Synchronization
import ToolSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The second process of the program: fetches an address with a GET request, writes a line about the
/// answer and its body to standard output, and ends. See `FetchProcess`.
final class Fetch: NSObject, URLSessionDataDelegate {
    /// The first argument of such a process; the second is the address.
    static let argument = "--fetch-for-product-page"

    /// The first line of its output, as JSON.
    enum Head: Codable, Equatable {
        case page(charset: String?, address: URL?)
        case tooLarge
        /// - Parameter retryAfter: In seconds.
        case unavailable(String, retryAfter: Int? = nil)
    }

    /// More than the first line takes.
    static let maximumHead = 4096

    static let maximumRedirects = 10

    private struct State {
        var url: URL
        var redirects = 0
        var body = Data()
        var pieces = 0
    }

    private let state: Mutex<State>

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
        let configuration = URLSessionConfiguration.ephemeral
        // The limit on the whole load counts; this only keeps the session's own, of a minute, out of its way.
        configuration.timeoutIntervalForRequest = 86_400
        let session = URLSession(configuration: configuration, delegate: Fetch(url), delegateQueue: nil)
        session.dataTask(with: request(url)).resume()
        withExtendedLifetime(asking) { dispatchMain() }
    }

    private static func request(_ url: URL) -> URLRequest {
        // Foundation on Linux refuses the brackets of an IPv6 address, but not their codes.
        let text = url.absoluteString.replacing(/:\/\/\[([^\]\/]+)\]/) { host in
            "://%5B\(host.1.replacing(":", with: "%3A"))%5D"
        }
        var request = URLRequest(url: URL(string: text) ?? url)
        // JSON first: a server that has both need not send its whole page.
        let types = "application/ld+json, application/json;q=0.9, text/html;q=0.8, */*;q=0.5"
        request.setValue(types, forHTTPHeaderField: "Accept")
        request.setValue("product-page/\(Version.current)", forHTTPHeaderField: "User-Agent")
        return request
    }

    /// Writes the answer and ends the process.
    private static func end(_ head: Head, _ body: Data = Data()) -> Never {
        let line = ((try? JSONEncoder().encode(head)) ?? Data()) + Data("\n".utf8)
        _ = Console.write(Array(line + body), to: 1)
        _exit(0)
    }
}

// The notifications of the session, in its order.
extension Fetch {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Not the session's own request: on Linux that takes `file:` for a path on the same server, and loses
        // relative addresses.
        let next = state.withLock { state in
            Result { () throws(PageError) in
                state.redirects += 1
                guard state.redirects <= Self.maximumRedirects else {
                    throw .failed("redirects more than \(Self.maximumRedirects) times")
                }
                let location = response.value(forHTTPHeaderField: "Location") ?? ""
                state.url = try Self.target(of: location, from: state.url)
                return state.url
            }
        }
        switch next {
        case .success(let url):
            var request = Self.request(url)
            // Some shops set a cookie and send the reader back.
            let cookies = session.configuration.httpCookieStorage?.cookies(for: url) ?? []
            for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
                request.setValue(value, forHTTPHeaderField: name)
            }
            completionHandler(request)
        case .failure(let error): Self.end(.unavailable(error.reason))
        }
    }

    /// Where a redirect leads, if it may: a page must not send its reader to a local file, or from a protected
    /// connection to an open one.
    static func target(of location: String, from url: URL) throws(PageError) -> URL {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), target.port ?? 0 <= UInt16.max
        else { throw .failed("redirects to something that is no address") }
        guard scheme == "http" || scheme == "https" else {
            throw .failed("redirects to a \(scheme): address, which is not followed")
        }
        guard target.host?.isEmpty == false else { throw .failed("redirects to an address without a host") }
        guard scheme == "https" || url.scheme?.lowercased() != "https" else {
            throw .failed("redirects from https to http, which is not followed")
        }
        return target
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // Below 200 it is a word before the answer, which follows.
        if let answer = response as? HTTPURLResponse { Self.endIfRefused(answer) }
        if response.expectedContentLength > Int64(ProductReader.maximumBytes) { Self.end(.tooLarge) }
        completionHandler(.allow)
    }

    private static func endIfRefused(_ response: HTTPURLResponse) {
        guard response.statusCode >= 300 else { return }
        let words = HTTPURLResponse.localizedString(forStatusCode: response.statusCode).capitalized
        let pause = response.value(forHTTPHeaderField: "Retry-After").flatMap {
            RetryAfter.seconds($0, at: Date())
        }
        end(.unavailable("answered \(response.statusCode) \(words)", retryAfter: pause))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            state.body += data
            state.pieces += 1
            if state.body.count > ProductReader.maximumBytes { Self.end(.tooLarge) }
            // Chunks of a byte each cost the session far more than they bring.
            if state.pieces > 4096, state.body.count < state.pieces * 16 {
                Self.end(.unavailable("sends its answer in too many small pieces"))
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let response = task.response as? HTTPURLResponse
        if let error { Self.end(.unavailable(NetworkReason.words(for: error, hasBegun: response != nil))) }
        guard let response else {
            Self.end(.unavailable("the connection was closed without a proper answer"))
        }
        // Foundation on Linux passes over the answer before: a redirect without a target ends here.
        Self.endIfRefused(response)
        let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
        let (url, body) = state.withLock { ($0.url, $0.body) }
        Self.end(.page(charset: PageText.charset(ofContentType: type), address: url), body)
    }
}
