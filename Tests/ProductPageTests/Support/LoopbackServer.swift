import Foundation
import PromisedSystem
import Synchronization

/// Answers HTTP on a free port of 127.0.0.1, with bytes that the test gives for each path.
///
/// A connection stays open until the client leaves where the answer is `nil`, and is closed at once where
/// it is empty.
final class LoopbackServer: Sendable {
    typealias Answer = @Sendable (_ head: String) -> AnySequence<[UInt8]>?

    /// Fulfilled when the first connection has ended.
    let left = Promise<Void>.pending()
    private let port: LoopbackPort
    private let requests = Mutex<[String]>([])

    convenience init(_ answer: @escaping @Sendable (_ path: String) -> String?) throws {
        try self.init(pieces: { head in answer(path(of: head)).map { AnySequence([Array($0.utf8)]) } })
    }

    /// With answers in pieces. Each is asked for when the one before it is sent, and may be waited for;
    /// between two the client has a moment to leave, so that an answer without an end drips.
    static func inPieces(
        _ answer: @escaping @Sendable (_ path: String) -> AnySequence<String>?
    ) throws -> LoopbackServer {
        try LoopbackServer(pieces: { head in
            answer(path(of: head)).map { AnySequence($0.lazy.map { Array($0.utf8) }) }
        })
    }

    /// With answers that need not be text, and may depend on the whole head of the request.
    static func ofBytes(_ answer: @escaping Answer) throws -> LoopbackServer {
        try LoopbackServer(pieces: answer)
    }

    private init(pieces answer: @escaping Answer) throws {
        port = try LoopbackPort()
        let listener = port.descriptor
        guard listen(listener, 16) == 0 else { throw WrongCount(count: Int(errno)) }
        Thread.detachNewThread { [weak self, port] in
            while true {
                let connection = accept(listener, nil, nil)
                // The port is held, so that its number is not another's already while this thread still uses it.
                guard connection >= 0 else { return withExtendedLifetime(port) {} }
                Thread.detachNewThread {
                    Self.serve(connection, answer) { path in self?.requests.withLock { $0.append(path) } }
                    self?.left.resolver.fulfill(())
                }
            }
        }
    }

    /// Nobody can connect from here on, and the thread that accepts wakes and ends.
    deinit { shutdown(port.descriptor, Int32(SHUT_RDWR)) }

    /// Without the scheme, as it stands behind a name and a password.
    var address: String { port.address }
    func url(_ path: String) -> String { port.url(path) }

    /// The requests so far, heads and all.
    var received: [String] { requests.withLock { $0 } }

    private static func serve(_ connection: Int32, _ answer: Answer, received: (String) -> Void) {
        defer { close(connection) }
        var head = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.contains("\r\n\r\n") {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            head += String(decoding: buffer[..<count], as: UTF8.self)
        }
        received(head)
        guard let pieces = answer(head) else {
            // Until the client hangs up.
            while read(connection, &buffer, buffer.count) > 0 {}
            return
        }
        var isFirst = true
        for piece in pieces {
            guard isFirst || !hasLeft(connection), sendAll(piece, to: connection) else { return }
            isFirst = false
        }
    }

    private static func sendAll(_ bytes: [UInt8], to connection: Int32) -> Bool {
        #if canImport(Darwin)
            let noSignal: Int32 = 0
        #else
            let noSignal = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether the client hangs up within a hundredth of a second.
    private static func hasLeft(_ connection: Int32) -> Bool {
        var event = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 10) != 0
    }
}

/// A free port of 127.0.0.1. It is taken, so that no other program gets it; until something listens there, it refuses
/// every connection.
final class LoopbackPort: Sendable {
    let descriptor: Int32
    let address: String

    init() throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        (self.descriptor, self.address) = (descriptor, "127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
        guard isBound else { throw WrongCount(count: Int(errno)) }
    }

    deinit { close(descriptor) }

    func url(_ path: String) -> String { "http://\(address)\(path)" }
}

/// What a request asks for.
func path(of head: String) -> String {
    let parts = head.split(separator: " ")
    return parts.count > 1 ? String(parts[1]) : ""
}

/// An HTTP answer, complete with its length.
func answer(_ status: String, _ headers: [String] = [], body: String = "") -> String {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}
