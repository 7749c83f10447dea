public import Promise

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads data by a `URLSession`.
///
/// ```swift
/// import Foundation
/// import PromisedSources
///
/// let loader = URLSessionLoader()
/// ```
///
/// Known faults: where Foundation uses libcurl (Linux, Swift 6.3.1 and before), it ends the process if a server closes
/// the connection inside the head of its answer, after at least one whole line of it (swift-corelibs-foundation, issue
/// 5285), and also if a body in chunks is followed by further fields. It also keeps a processor busy for as long as a
/// session waits for a server. Nothing outside of Foundation can prevent that. For plain HTTP, a ``SocketLoader`` has
/// no such faults.
public final class URLSessionLoader: DataLoader {
    private let session: URLSession
    private let delegate = URLSessionLoads()
    /// The additional headers of the configuration. The session itself would send it to every server.
    private let added: [String: String]

    /// Creates a loader with a session of its own, which ends when the loader is released and its requests are over.
    ///
    /// - Parameter configuration: The configuration of the session. By default, nothing is stored.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let fields = configuration.httpAdditionalHeaders ?? [:]
        added = Dictionary(fields.map { ("\($0)", "\($1)") }) { $1 }
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.httpAdditionalHeaders = nil
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
    }

    // A session retains its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    /// Makes a promise of the answer to a request. Redirects are followed, to another scheme, host or port without the
    /// header of the request's own, and without the additions of the session's configuration.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - report: Called on the delegate queue of the session, with each part of the answer that has arrived.
    public func load(
        _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData> {
        var request = request
        for (name, value) in added where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return load(request, report, redirects: 20)
    }

    /// Follows redirects itself, as a session adds its header, and where Foundation uses libcurl sends no body again.
    private func load(
        _ request: URLRequest, _ report: @escaping @Sendable (FetchProgress) -> Void, redirects: Int
    ) -> Promise<LoadedData> {
        answer(to: request, report).flatMap { [self] answer in
            guard let next = try request.redirected(by: answer) else { return .value(answer.from(request)) }
            guard redirects > 0 else { throw URLError(.httpTooManyRedirects) }
            return load(next, report, redirects: redirects - 1)
        }
    }

    private func answer(
        to request: URLRequest, _ report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData> {
        Promise { [self] resolver in
            let task = session.dataTask(with: request)
            delegate.begin(task, .init(resolver: resolver, report: report))
            resolver.onCancel { task.cancel() }
            task.resume()
        }
    }
}
