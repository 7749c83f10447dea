import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and what becomes of it: collects the body within its bounds, and ends exactly once.
final class WebExchange: NSObject, URLSessionDataDelegate {
    enum Answer: Sendable {
        case page(WebPage, mayBeKept: Bool)
        /// What was asked about is still so.
        case unchanged
        /// Elsewhere: the `Location` as the server gave it.
        case redirect(String, isPermanent: Bool)
    }

    private typealias Outcome = Result<Answer, any Error>

    private struct State {
        var response: URLResponse?
        var body: [UInt8] = []
        var pieces = 0
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let name: String
    private let limit: Int
    private let url: URL
    private let isConditional: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: What messages call the address.
    ///   - limit: How many bytes the body may have, unpacked.
    ///   - isConditional: Whether the request asks for what is newer only.
    init(_ url: URL, name: String, limit: Int, isConditional: Bool) {
        self.url = url
        self.name = name
        self.limit = limit
        self.isConditional = isConditional
    }

    /// Starts the request and waits for its end.
    func answer(start: () -> Void) async throws -> Answer {
        try await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            // It may have been cancelled before it began.
            if let outcome { continuation.resume(returning: outcome) } else { start() }
        }.get()
    }

    /// Ends the exchange now, whatever the session is doing; what comes later is ignored.
    func cancel(_ task: URLSessionTask) {
        settle(.failure(CancellationError()))
        // Elsewhere, since on Linux it waits for the session, which a hostile server keeps busy.
        // In turn with a redirect's answer, see there.
        DispatchQueue.global().async { [self] in state.withLock { _ in task.cancel() } }
    }

    private func settle(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            state.body = []
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }

    private func fail(_ reason: String) {
        settle(.failure(PageError.unavailable(source: name, reason: reason)))
    }

    private func failAsTooLarge() {
        settle(.failure(PageError.noInput(source: name, reason: "is larger than \(limit / 1_048_576) MiB")))
    }
}

// What the session reports, in its order.
extension WebExchange {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        judge(response)
        // Linux stops the program when a task that was cancelled meanwhile gets its answer.
        state.withLock { state in
            if case .failure(is CancellationError)? = state.outcome { return }
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        judge(response)
        let isOver = state.withLock { $0.outcome != nil }
        completionHandler(isOver ? .cancel : .allow)
        // Linux goes on reading all the same.
        if isOver { dataTask.cancel() }
    }

    /// Settles at once what needs no body.
    private func judge(_ response: URLResponse) {
        state.withLock { $0.response = response }
        let http = response as? HTTPURLResponse
        let status = http?.statusCode ?? 0
        if [301, 302, 303, 307, 308].contains(status),
            let location = http?.value(forHTTPHeaderField: "Location")
        {
            settle(.success(.redirect(location, isPermanent: status == 301 || status == 308)))
        } else if status == 304, isConditional {
            settle(.success(.unchanged))
        } else if (100...199).contains(status) {
            // A word before the answer, which follows.
        } else if !(200...299).contains(status) {
            fail("answered \(HTTPStatus.description(of: status))")
        } else if response.expectedContentLength > Int64(limit) {
            failAsTooLarge()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (isTooLarge, isFlood) = state.withLock { state in
            guard state.outcome == nil else { return (false, false) }
            state.body += data
            state.pieces += 1
            return (state.body.count > limit, Self.isFlood(pieces: state.pieces, bytes: state.body.count))
        }
        guard isTooLarge || isFlood else { return }
        if isTooLarge { failAsTooLarge() } else { fail("sends its answer in too many small pieces") }
        dataTask.cancel()
    }

    /// Chunks of a byte each cost the session far more than they bring, and it keeps those that wait: a
    /// server can send them faster than anyone can look at them.
    private static func isFlood(pieces: Int, bytes: Int) -> Bool { pieces > 4096 && bytes < pieces * 64 }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let (body, response) = state.withLock { ($0.body, $0.response as? HTTPURLResponse) }
        if let error {
            fail(NetworkReason.words(for: error, hasBegun: response != nil))
        } else if let response {
            let type = response.value(forHTTPHeaderField: "Content-Type")
            let page = WebPage(
                url: url.absoluteString, body: body,
                charset: type.flatMap(PageCharset.charset(ofContentType:)),
                entityTag: CachingHeaders.validator(response, "ETag"),
                lastModified: CachingHeaders.validator(response, "Last-Modified"))
            settle(.success(.page(page, mayBeKept: CachingHeaders.allowKeeping(response))))
        } else {
            fail("the connection was closed without a proper answer")
        }
    }
}
