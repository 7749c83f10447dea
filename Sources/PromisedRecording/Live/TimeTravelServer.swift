internal import Foundation
internal import Promise

/// Accepts connections to a ``TimeTravel`` at a Unix domain socket, one after another, until it is closed or released.
public final class TimeTravelServer: Sendable {
    /// Closes its descriptor when neither the server nor its thread uses it.
    private final class Listener: Sendable {
        let descriptor: Int32
        /// The present connection; nil inside once the server is closed.
        let present = Lock<(isClosed: Bool, transport: SocketTransport?)>((false, nil))

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { LocalSocket.dispose(descriptor) }
    }

    private let path: String
    private let listener: Listener

    /// - Parameter serve: Called with each connection, on a thread of the server, and with a closure to be called at the
    ///   end of the connection.
    init(
        at path: String,
        _ serve: @escaping @Sendable (SocketTransport, @escaping @Sendable () -> Void) -> Void
    ) throws(TimeTravelError) {
        try LocalSocket.removeUnused(path)
        self.path = path
        listener = Listener(try LocalSocket.make(at: path, LocalSocket.listening))
        Thread.detachNewThread { [listener] in
            while let descriptor = LocalSocket.next(of: listener.descriptor) {
                let transport = SocketTransport(accepted: descriptor)
                let isClosed = listener.present.withLock { present in
                    present.transport = transport
                    return present.isClosed
                }
                if isClosed { return transport.close() }
                let end = DispatchSemaphore(value: 0)
                serve(transport) { end.signal() }
                end.wait()
            }
        }
    }

    deinit { close() }

    /// Ends the connection, and accepts no further ones. Further calls are no-ops.
    public func close() {
        let before = listener.present.exchange(for: (true, nil))
        if before.isClosed { return }
        before.transport?.close()
        // The thread waits for a connection: on some platforms this ends that, on all of them a connection does.
        LocalSocket.shutDown(listener.descriptor)
        if let last = try? LocalSocket.make(at: path, LocalSocket.connecting) { LocalSocket.dispose(last) }
        _ = unlink(path)
    }
}
