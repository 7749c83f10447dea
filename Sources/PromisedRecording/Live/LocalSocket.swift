internal import Foundation

/// The calls for Unix domain sockets.
enum LocalSocket {
    typealias Use = (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32

    static func connecting(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32
    {
        connect(socket, address, length)
    }

    /// Binds it, makes it private to the user, and listens.
    static func listening(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        guard bind(socket, address, length) == 0 else { return -1 }
        // Before it can be connected to.
        let path = UnsafeRawPointer(address) + (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2)
        guard chmod(path.assumingMemoryBound(to: CChar.self), 0o600) == 0 else { return -1 }
        return listen(socket, 8)
    }

    /// Makes a socket, and connects or binds it to a path.
    static func make(at path: String, _ use: Use) throws(TimeTravelError) -> Int32 {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard 1...capacity ~= bytes.count, !bytes.contains(0) else {
            throw .socket(path: path, reason: "the path must have 1 to \(capacity) bytes, none of them 0")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let made = socket(AF_UNIX, streamType, 0)
        guard made >= 0 else { throw .socket(path: path, reason: reason) }
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let reason = reason
            dispose(made)
            throw .socket(path: path, reason: reason)
        }
        return made
    }

    /// The next connection of a socket that listens; nil at its end.
    static func next(of listener: Int32) -> Int32? {
        while true {
            let accepted = accept(listener, nil, nil)
            guard accepted < 0 else {
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                return accepted
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            // The process has no descriptor for it at this moment.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
            default: return nil
            }
        }
    }

    static func limitSending(_ socket: Int32, seconds: Int) {
        var time = timeval()
        time.tv_sec = .init(seconds)
        _ = setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
            var one: Int32 = 1
            _ = setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    static func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Without the flag, a connection that the other side has closed would be a signal that ends the process.
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, sendFlags) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// - Returns: The number of bytes; 0 at the end.
    static func read(_ buffer: inout [UInt8], from socket: Int32) -> Int {
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count >= 0 || errno != EINTR { return max(count, 0) }
        }
    }

    static func shutDown(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    static func dispose(_ descriptor: Int32) { _ = close(descriptor) }

    /// Removes what an earlier process has left at a path; anything but a socket without a listener stays.
    static func removeUnused(_ path: String) throws(TimeTravelError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw .socket(path: path, reason: "a file is there that is no socket")
        }
        if let used = try? make(at: path, connecting) {
            dispose(used)
            throw .socket(path: path, reason: "another program serves it")
        }
        _ = unlink(path)
    }

    private static var reason: String { String(cString: strerror(errno)) }

    #if canImport(Glibc) || canImport(Musl)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        private static let streamType = SOCK_STREAM
        private static let sendFlags: Int32 = 0
    #endif
}
