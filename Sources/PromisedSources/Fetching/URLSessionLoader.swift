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

    /// Creates a loader with a session of its own, which ends when the loader is released and its requests are over.
    ///
    /// - Parameter configuration: The configuration of the session. By default, nothing is stored.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    // A session retains its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    /// Makes a promise of the answer to a request. Redirects are followed, to another scheme, host or port without the
    /// header of the request's own. What the configuration of the session adds is sent to every server.
    public func load(
        _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData> {
        Promise { [self] resolver in
            let task = session.dataTask(with: request)
            delegate.begin(task, .init(resolver: resolver, report: report))
            resolver.onCancel { task.cancel() }
            task.resume()
        }
    }
}
