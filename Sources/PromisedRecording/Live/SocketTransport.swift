internal import Foundation
internal import Promise

/// A connection over a Unix domain socket, to a process on the same machine.
public final class SocketTransport: TimeTravelTransport {
    private let socket: LineSocket

    /// Connects to the ``TimeTravelServer`` at a path.
    public init(connectingTo path: String) throws(TimeTravelError) {
        let descriptor = try LocalSocket.make(at: path, LocalSocket.connecting)
        socket = LineSocket(descriptor, limit: TravelAnswer.limit, unsentLimit: LineSocket.unsentLimit)
    }

    /// A connection that a server has accepted.
    init(accepted descriptor: Int32, unsentLimit: Int = LineSocket.unsentLimit) {
        socket = LineSocket(descriptor, limit: TravelRequest.limit, unsentLimit: unsentLimit)
    }

    deinit { socket.end() }

    /// Sends a message. A peer that reads none of 64 MiB, or nothing for 10 seconds, is disconnected.
    public func send(_ message: String) { socket.send(message) }

    /// Receives the messages of the other side, on a thread of the connection.
    public func receive(
        _ onMessage: @escaping @Sendable (String) -> Void, onClose: @escaping @Sendable () -> Void
    ) {
        // Without the transport, whose release ends the connection.
        Thread.detachNewThread { [socket] in
            socket.readLines(onMessage)
            socket.end()
            onClose()
        }
    }

    /// Closes the connection.
    public func close() { socket.end() }
}

/// A connected socket, and the lines that are to be written to it.
private final class LineSocket: Sendable {
    private let descriptor: Int32
    private let limit: Int
    /// Where it is written to, as that may wait.
    private let queue = DispatchQueue(label: "PromisedRecording.LineSocket")
    private let unsent = Lock(0)
    private let unsentLimit: Int
    static let unsentLimit = 1 << 26

    init(_ descriptor: Int32, limit: Int, unsentLimit: Int) {
        (self.descriptor, self.limit, self.unsentLimit) = (descriptor, limit, unsentLimit)
        LocalSocket.limitSending(descriptor, seconds: 10)
    }

    deinit { LocalSocket.dispose(descriptor) }

    /// Ends reading and writing. The descriptor stays open until no thread uses it.
    func end() { LocalSocket.shutDown(descriptor) }

    func send(_ line: String) {
        // A line end in a message would make two of it.
        let bytes = Array(line.utf8.map { $0 == 10 ? 32 : $0 }) + [10]
        let isTooMuch = unsent.withLock { unsent in
            unsent += bytes.count
            return unsent > unsentLimit
        }
        if isTooMuch { return end() }
        queue.async { [self] in
            if !LocalSocket.write(bytes, to: descriptor) { end() }
            unsent.withLock { $0 -= bytes.count }
        }
    }

    /// Reads lines until the end, or until one is longer than allowed.
    func readLines(_ body: (String) -> Void) {
        var (line, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
        while true {
            let count = LocalSocket.read(&buffer, from: descriptor)
            guard count > 0 else { return }
            for part in buffer[..<count].split(separator: 10, omittingEmptySubsequences: false).enumerated() {
                if part.offset > 0 {
                    body(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                }
                line += part.element
            }
            if line.count > limit { return }
        }
    }
}
