internal import Promise

/// Carries messages between a ``TimeTravel`` and a ``RemoteTimeTravel``, which may be in another process or on another
/// device: in memory, over a socket, or over something of your own.
///
/// A message is one line of JSON without a line end. Those of one sender arrive in order, or not at all once the
/// connection is closed. A tool in another language sends `{"id":1,"do":{"jump":{"to":2}}}`, where `do` is a
/// ``TravelCommand`` as `JSONEncoder` writes it, or `{"id":2,"look":{"history":{}}}`, `{"state":{"at":2}}` or
/// `{"difference":{"at":2}}`; it receives `{"id":1}` with a member `history`, `state`, `difference` or `error`.
public protocol TimeTravelTransport: AnyObject, Sendable {
    /// Sends a message, from any thread, without waiting for the other side. A no-op after the end.
    func send(_ message: String)

    /// Receives the messages of the other side from now on, those that have arrived already included. Called once.
    ///
    /// - Parameters:
    ///   - onMessage: Called with one message at a time, on any thread.
    ///   - onClose: Called once when no more messages follow, whichever side has closed the connection.
    func receive(
        _ onMessage: @escaping @Sendable (String) -> Void, onClose: @escaping @Sendable () -> Void)

    /// Closes the connection. Further calls are no-ops.
    func close()
}

/// A connection within one process: for tests, and for a tool that is a part of the program.
///
/// Messages are delivered on the thread that sends them, or on one that is delivering already.
public final class MemoryTransport: TimeTravelTransport {
    private enum Item: Sendable { case message(String), end }

    /// The receiver of one side, and its pending messages.
    private final class Side: Sendable {
        private let inbox = DrainOwnership<Item>()
        private let receiver = Lock<(onMessage: @Sendable (String) -> Void, onClose: @Sendable () -> Void)?>(
            nil)

        func add(_ item: Item) {
            _ = inbox.enqueue(item, needsAdmission: false)
            deliver()
        }

        func receive(
            _ onMessage: @escaping @Sendable (String) -> Void, _ onClose: @escaping @Sendable () -> Void
        ) {
            receiver.exchange(for: (onMessage, onClose))
            deliver()
        }

        private func deliver() {
            guard let (onMessage, onClose) = receiver.withLock({ $0 }), inbox.tryAcquirePending() else {
                return
            }
            repeat {
                while let item = inbox.popFirst() {
                    switch item {
                    case .message(let message): onMessage(message)
                    case .end:
                        receiver.exchange(for: nil)
                        onClose()
                    }
                }
            } while !inbox.release()
        }
    }

    private let own: Side
    private let other: Side
    private let isClosed: Lock<Bool>

    private init(_ own: Side, _ other: Side, _ isClosed: Lock<Bool>) {
        (self.own, self.other, self.isClosed) = (own, other, isClosed)
    }

    /// Makes the two ends of a connection.
    public static func pair() -> (MemoryTransport, MemoryTransport) {
        let (left, right, isClosed) = (Side(), Side(), Lock(false))
        return (MemoryTransport(left, right, isClosed), MemoryTransport(right, left, isClosed))
    }

    deinit { close() }

    /// Sends a message to the other end.
    public func send(_ message: String) { if !isClosed.withLock({ $0 }) { other.add(.message(message)) } }

    /// Receives the messages of the other end.
    public func receive(
        _ onMessage: @escaping @Sendable (String) -> Void, onClose: @escaping @Sendable () -> Void
    ) { own.receive(onMessage, onClose) }

    /// Closes both ends.
    public func close() {
        guard !isClosed.exchange(for: true) else { return }
        own.add(.end)
        other.add(.end)
    }
}
