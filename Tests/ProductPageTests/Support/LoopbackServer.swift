import Foundation
import PromisedSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(WASILibc)
    import WASILibc
#else
    import Darwin
#endif

/// Answers HTTP on a free port of 127.0.0.1, with bytes that the test gives for each path.
///
/// A connection stays open until the client leaves where the answer is `nil`, and is closed at once where
/// it is empty.
final class LoopbackServer: Sendable {
    let port: UInt16
    /// Fulfilled when the first connection has ended.
    let left = Promise<Void>.pending()
    private let listener: Int32
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
    static func ofBytes(
        _ answer: @escaping @Sendable (_ head: String) -> AnySequence<[UInt8]>?
    ) throws -> LoopbackServer {
        try LoopbackServer(pieces: answer)
    }

    private init(pieces answer: @escaping @Sendable (_ head: String) -> AnySequence<[UInt8]>?) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isUp = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isUp else { throw WrongCount(count: Int(errno)) }
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    // Only here: a number closed while this thread still uses it may be another's already.
                    close(listener)
                    return
                }
                Thread.detachNewThread {
                    Self.serve(connection, answer) { path in self?.requests.withLock { $0.append(path) } }
                    self?.left.resolver.fulfill(())
                }
            }
        }
    }

    deinit {
        // Nobody can connect from here on, and the thread that accepts wakes and ends.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The requests so far, heads and all.
    var received: [String] { requests.withLock { $0 } }

    private static func serve(
        _ connection: Int32, _ answer: (String) -> AnySequence<[UInt8]>?, received: (String) -> Void
    ) {
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
            guard isFirst || !hasLeft(connection) else { return }
            isFirst = false
            guard sendAll(piece, to: connection) else { return }
        }
    }

    private static func sendAll(_ bytes: [UInt8], to connection: Int32) -> Bool {
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

    #if canImport(Darwin)
        private static let noSignal: Int32 = 0
    #else
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif
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
