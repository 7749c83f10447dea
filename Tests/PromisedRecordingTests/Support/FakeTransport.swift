import PromisedRecording

/// A transport of one's own in memory: what it has sent, and what it is made to receive.
final class FakeTransport: TimeTravelTransport {
    let sent = Entries<String>()
    private let receivers = Entries<@Sendable (String) -> Void>()

    func send(_ message: String) { sent.add(message) }

    func receive(
        _ onMessage: @escaping @Sendable (String) -> Void, onClose: @escaping @Sendable () -> Void
    ) { receivers.add(onMessage) }

    func close() {}

    /// Receives a message of the other side.
    func arrive(_ message: String) { for receiver in receivers.all { receiver(message) } }
}
