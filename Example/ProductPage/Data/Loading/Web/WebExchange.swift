import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and what becomes of it: collects the body within its bounds, and ends exactly once.
final class WebExchange: NSObject, URLSessionDataDelegate {
    enum Answer: Sendable {
        case body([UInt8])
        /// Elsewhere: the `Location` as the server gave it.
        case redirect(String)
    }

    private typealias Outcome = Result<Answer, any Error>

    private struct State {
        var hasBegun = false
        var body: [UInt8] = []
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let name: String
    private let limit: Int
    private let state = Mutex(State())

    init(name: String, limit: Int) {
        self.name = name
        self.limit = limit
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
        // In turn with a redirect's answer, see there.
        state.withLock { _ in task.cancel() }
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
        state.withLock { $0.hasBegun = true }
        let http = response as? HTTPURLResponse
        let status = http?.statusCode ?? 0
        if [301, 302, 303, 307, 308].contains(status),
            let location = http?.value(forHTTPHeaderField: "Location")
        {
            settle(.success(.redirect(location)))
        } else if !(200...299).contains(status) {
            fail("answered \(HTTPStatus.description(of: status))")
        } else if response.expectedContentLength > Int64(limit) {
            failAsTooLarge()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard state.outcome == nil else { return false }
            state.body += data
            return state.body.count > limit
        }
        guard isTooLarge else { return }
        failAsTooLarge()
        dataTask.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let (body, hasBegun) = state.withLock { ($0.body, $0.hasBegun) }
        if let error {
            fail(NetworkReason.words(for: error, hasBegun: hasBegun))
        } else {
            settle(.success(.body(body)))
        }
    }
}
