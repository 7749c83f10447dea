internal import Foundation
internal import Promise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The requests of a session that are in flight.
final class URLSessionLoads: NSObject, URLSessionDataDelegate, Sendable {
    struct Load: Sendable {
        let resolver: Resolver<LoadedData>
        let report: @Sendable (FetchProgress) -> Void
        var data = Data()
        var total: Int?
    }

    /// By the identifiers of their tasks.
    private let loads = Lock<[Int: Load]>([:])

    func begin(_ task: URLSessionTask, _ load: Load) { loads.withLock { $0[task.taskIdentifier] = load } }

    func urlSession(
        _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let total = response.expectedContentLength
        loads.withLock { $0[task.taskIdentifier]?.total = total > 0 ? Int(total) : nil }
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
        let load = loads.withLock { loads in
            loads[task.taskIdentifier]?.data.append(data)
            return loads[task.taskIdentifier]
        }
        load?.report(FetchProgress(completed: load?.data.count ?? 0, total: load?.total))
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            end(task)?.resolver.reject(error)
        } else {
            finish(task)
        }
    }

    // Without this, a request that is answered by a challenge and has no credentials never ends where Foundation uses
    // libcurl. The challenge follows the body of the answer there.
    func urlSession(
        _: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            if challenge.proposedCredential == nil {
                finish(task)
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
        #endif
        completionHandler(.performDefaultHandling, nil)
    }

    // The answer is the redirect itself.
    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest _: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    private func finish(_ task: URLSessionTask) {
        guard let load = end(task) else { return }
        guard let response = task.response as? HTTPURLResponse else {
            load.resolver.reject(URLError(.badServerResponse))
            return
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        load.resolver.fulfill(LoadedData(load.data, status: response.statusCode, headers: headers))
    }

    private func end(_ task: URLSessionTask) -> Load? {
        loads.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }
}
