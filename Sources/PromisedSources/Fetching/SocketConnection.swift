internal import Foundation
internal import Promise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One connection after another, of one request. Its calls wait, so they belong on a thread of their own; cancelling
/// ends them.
final class SocketConnection: Sendable {
    private struct SocketState {
        var socket: Int32?
        var isCancelled = false
    }

    private let state = Lock(SocketState())

    deinit { close() }

    /// Ends the calls that wait, and all later ones.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Not closed: another thread may be using it.
            if let socket = state.socket { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func close() {
        let socket = state.withLock { $0.socket.take() }
        if let socket { closeSocket(socket) }
    }

    /// Connects to the server of a request.
    func open(_ request: URLRequest) throws {
        close()
        guard request.url?.scheme?.lowercased() == "http", let host = request.url?.host() else {
            throw URLError(.unsupportedURL)
        }
        var hints = addrinfo()
        hints.ai_socktype = streamType
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(request.url?.port ?? 80)", &hints, &addresses) == 0 else {
            throw URLError(.cannotFindHost)
        }
        defer { freeaddrinfo(addresses) }
        var next = addresses
        while let address = next?.pointee {
            if try connect(to: address, within: request.timeoutInterval) { return }
            next = address.ai_next
        }
        throw URLError(.cannotConnectToHost)
    }

    private func connect(to address: addrinfo, within limit: TimeInterval) throws -> Bool {
        let made = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard made >= 0 else { return false }
        let isCancelled = state.withLock { state in
            state.socket = made
            return state.isCancelled
        }
        var time = timeval()
        time.tv_sec = .init(limit.isFinite && limit > 0 ? min(limit.rounded(.up), 1e9) : 60)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            _ = setsockopt(made, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        if !isCancelled, connectSocket(made, address.ai_addr, address.ai_addrlen) == 0 { return true }
        close()
        try check()
        return false
    }

    private func check() throws { if state.withLock({ $0.isCancelled }) { throw URLError(.cancelled) } }

    private func current() throws -> Int32 {
        try check()
        guard let socket = state.withLock({ $0.socket }) else { throw URLError(.networkConnectionLost) }
        return socket
    }

    func send(_ bytes: [UInt8]) throws {
        let socket = try current()
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sendBytes(socket, $0.baseAddress, $0.count) }
            guard count > 0 else { throw lost() }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes; empty at the end.
    func receive() throws -> [UInt8] {
        let socket = try current()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count >= 0 else { throw lost() }
        // A connection that was cancelled also looks like one at its end.
        try check()
        return Array(buffer.prefix(count))
    }

    /// Why a call has failed.
    private func lost() -> URLError {
        let isTimeout = errno == EAGAIN || errno == EWOULDBLOCK
        if state.withLock({ $0.isCancelled }) { return URLError(.cancelled) }
        return URLError(isTimeout ? .timedOut : .networkConnectionLost)
    }
}

// These have names that methods have, too.
private func closeSocket(_ socket: Int32) { _ = close(socket) }
private func connectSocket(_ socket: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32
{
    connect(socket, address, length)
}

#if canImport(Glibc) || canImport(Musl)
    private var streamType: Int32 { Int32(SOCK_STREAM.rawValue) }
    // Without the flag, a connection that was closed by the server would be a signal that ends the process.
    private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        send(socket, bytes, count, Int32(MSG_NOSIGNAL))
    }
#else
    private var streamType: Int32 { SOCK_STREAM }
    private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        var one: Int32 = 1
        _ = setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        return send(socket, bytes, count, 0)
    }
#endif
