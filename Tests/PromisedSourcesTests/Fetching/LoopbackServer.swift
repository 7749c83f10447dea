import Foundation
import PromisedSources

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An HTTP server on the loopback that says what it is asked to, byte by byte, on threads of its own.
final class LoopbackServer: Sendable {
    enum Step: Sendable {
        case send(String)
        /// Waits until the client closes the connection.
        case hold
    }

    let port: UInt16
    private let isOver = Threadsafe(wrappedValue: false)
    /// The heads of the requests, as they come, each with its body.
    let requests = Threadsafe(wrappedValue: [String]())
    /// Yields the path of each connection that was held and that its client has closed.
    let closed: AsyncStream<String>

    /// - Parameter answer: Returns what is sent for a path; the connection is closed after that.
    init(_ answer: @escaping @Sendable (_ path: String) -> [Step]) {
        let listening = Self.makeSocket()
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listening, $0, length)
                _ = getsockname(listening, $0, &length)
            }
        }
        listen(listening, 16)
        port = UInt16(bigEndian: address.sin_port)
        let (closed, closing) = AsyncStream.makeStream(of: String.self)
        self.closed = closed
        Thread.detachNewThread { [requests, isOver] in
            // Closed here and nowhere else, as the number of a closed socket is soon that of another one.
            defer { close(listening) }
            while case let client = accept(listening, nil, nil), client >= 0 {
                if isOver.wrappedValue {
                    close(client)
                    return
                }
                Thread.detachNewThread {
                    let head = Self.head(client)
                    requests.wrappedValue.append(head + Self.body(after: head, client))
                    let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                    for step in answer(path) { Self.perform(step, client) { closing.yield(path) } }
                    close(client)
                }
            }
        }
    }

    deinit {
        isOver.wrappedValue = true
        // A last connection, for `accept` to return.
        let last = Self.makeSocket()
        var address = Self.loopback(port: port)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(last, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        close(last)
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    func request(_ path: String) -> URLRequest {
        // The answer comes in time on a busy machine, too.
        URLRequest(url: URL(string: "http://127.0.0.1:\(port)\(path)")!, timeoutInterval: 86_400)
    }

    private static func head(_ client: Int32) -> String {
        var (head, byte) = ([UInt8](), [UInt8](repeating: 0, count: 1))
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(client, &byte, 1, 0) == 1 { head += byte }
        return String(decoding: head, as: UTF8.self)
    }

    /// Read, since a connection that is closed before is reset.
    private static func body(after head: String, _ client: Int32) -> String {
        let field = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        var (body, byte) = ([UInt8](), [UInt8](repeating: 0, count: 1))
        while body.count < length, recv(client, &byte, 1, 0) == 1 { body += byte }
        return String(decoding: body, as: UTF8.self)
    }

    private static func perform(_ step: Step, _ client: Int32, _ onClose: () -> Void) {
        switch step {
        case .send(let text):
            #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
            #else
                let flags: Int32 = 0
            #endif
            _ = Array(text.utf8).withUnsafeBytes { send(client, $0.baseAddress, $0.count, flags) }
        case .hold:
            var byte = [UInt8](repeating: 0, count: 1)
            while recv(client, &byte, 1, 0) > 0 {}
            onClose()
        }
    }
}

extension LoopbackServer {
    /// Says that the connection is closed after the answer. Foundation of Linux may send the next request on it
    /// otherwise, as the close arrives; one with a body then gets no answer at all until its time is over.
    private static let closing = "Connection: close\r\n"

    /// Redirects from `/from` to an address, and answers the rest.
    static func redirecting(_ status: Int, to address: @escaping @Sendable () -> String) -> LoopbackServer {
        LoopbackServer { path in
            path == "/from"
                ? [
                    .send(
                        "HTTP/1.1 \(status) Go\r\nLocation: \(address())\r\n\(closing)Content-Length: 0\r\n\r\n"
                    )
                ]
                : [.send("HTTP/1.1 200 OK\r\n\(closing)Content-Length: 2\r\n\r\nhi")]
        }
    }

    /// Answers by path as servers do, and as they should not.
    static func misbehaving() -> LoopbackServer {
        LoopbackServer { path in
            switch path {
            case "/ok": [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"1\"\r\n\r\nhi")]
            case "/304": [.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")]
            case "/404": [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone")]
            case "/429":
                [.send("HTTP/1.1 429 Too Many Requests\r\nretry-after: 120\r\nContent-Length: 0\r\n\r\n")]
            case "/500": [.send("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")]
            case "/401":
                [
                    .send(
                        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 4\r\n\r\nwho?"
                    )
                ]
            case "/redirect":
                [.send("HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n")]
            case "/chunked":
                [
                    .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
                    .send("2;x=y\r\nde\r\n0\r\n\r\n"),
                ]
            case "/trailer":
                [
                    .send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nEnd: 1\r\n\r\n"
                    )
                ]
            case "/unbounded": [.send("HTTP/1.0 200 OK\r\n\r\nto the end")]
            case "/slow":
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")]
                    + (1...6).map { Step.send("\($0)") }
            case "/held": [.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab"), .hold]
            case "/nothing": []
            case "/cut-line": [.send("HTTP/1.1 20")]
            case "/cut-head": [.send("HTTP/1.1 200 OK\r\nX: 1\r\n")]
            case "/cut-name": [.send("HTTP/1.1 200 OK\r\nX: 1\r\nY")]
            case "/cut-length": [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")]
            case "/cut-redirect": [.send("HTTP/1.1 302 Found\r\nLocation: /ok\r\n")]
            case "/redirect-cut":
                [.send("HTTP/1.1 302 Found\r\nLocation: /cut-head\r\nContent-Length: 0\r\n\r\n")]
            case "/cut-body": [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")]
            case "/cut-chunk": [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")]
            case "/garbage": [.send("\u{0}\u{1}\r\n\r\n")]
            case "/loop": [.send("HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n")]
            default: []
            }
        }
    }
}
