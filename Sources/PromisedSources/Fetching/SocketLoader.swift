internal import Foundation
public import Promise

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads data by plain HTTP/1.1 over a socket.
///
/// ```swift
/// import PromisedSources
///
/// let loader = SocketLoader()
/// ```
///
/// It is for servers in the same house, such as devices, and for Linux, where a server that closes the connection
/// inside the head of its answer ends the process of a ``URLSessionLoader``: here it is a failure. It follows redirects
/// to `http` addresses, and has neither encryption, nor a cache, cookies or a proxy. Each request has a connection of
/// its own, and a thread while it is in flight; a request's time limit is that of `URLRequest.timeoutInterval` for each
/// wait.
public final class SocketLoader: DataLoader {
    /// Creates a loader.
    public init() {}

    /// Makes a promise of the answer to a request. Redirects are followed, to another scheme, host or port without the
    /// header of the request's own.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - report: Called on the thread of the request, with each part of the answer that has arrived.
    public func load(
        _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData> {
        Promise { resolver in
            let connection = SocketConnection()
            resolver.onCancel { connection.cancel() }
            Thread.detachNewThread {
                do {
                    resolver.fulfill(try Self.answer(request, over: connection, report))
                } catch { resolver.reject(error) }
            }
        }
    }

    private static func answer(
        _ first: URLRequest, over connection: SocketConnection,
        _ report: @escaping @Sendable (FetchProgress) -> Void
    ) throws -> LoadedData {
        var request = first
        for _ in 0...20 {
            try connection.open(request)
            try connection.send(request.message)
            var reading = AnswerReading(
                connection: connection, isHead: request.httpMethod == "HEAD", report: report)
            let answer = try reading.answer()
            guard let next = try request.redirected(by: answer) else { return answer.from(request) }
            request = next
        }
        throw URLError(.httpTooManyRedirects)
    }
}

extension URLRequest {
    /// The request as it is sent.
    fileprivate var message: [UInt8] {
        get throws {
            guard let url, let host = url.host() else { throw URLError(.badURL) }
            let path = url.path(percentEncoded: true), query = url.query(percentEncoded: true)
            var lines = [
                "\(httpMethod ?? "GET") \(path.isEmpty ? "/" : path)\(query.map { "?\($0)" } ?? "") HTTP/1.1",
                "Host: \(host)\(url.port.map { ":\($0)" } ?? "")", "Connection: close",
            ]
            if let httpBody { lines.append("Content-Length: \(httpBody.count)") }
            for (name, value) in allHTTPHeaderFields ?? [:] { lines.append("\(name): \(value)") }
            // A field that contains a line break would be another field.
            guard lines.allSatisfy({ !$0.utf8.contains(13) && !$0.utf8.contains(10) }) else {
                throw URLError(.badURL)
            }
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (httpBody ?? Data())
        }
    }
}
