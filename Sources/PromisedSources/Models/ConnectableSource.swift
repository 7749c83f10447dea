internal import Promise
public import PromisedSystem

/// A source that has another one while it is connected.
///
/// Nothing is built before it is connected; disconnecting releases the built source and its value. Connecting once more
/// builds it again.
public final class ConnectableSource<Value: Sendable>: StateSource {
    private final class Connection: Sendable {
        let source: Source<Value>
        let token = Lock<SubscriptionToken?>(nil)
        init(_ source: Source<Value>) { self.source = source }
    }

    /// The state of the source.
    public let state: SourceState<Connectable<Value>>
    let make: @Sendable () -> Source<Value>
    private let current = Lock<Connection?>(nil)
    // Held while it connects, so that two threads do not build two sources.
    private let connecting = RecursiveLock()

    /// Creates a source that is not connected.
    ///
    /// - Parameters:
    ///   - log: Records the calls of its actions.
    ///   - make: Makes the source, at each connection, on the thread that connects it. The source is retained while it
    ///     is connected.
    public init(log: ActionLog? = nil, _ make: @escaping @Sendable () -> Source<Value>) {
        (state, self.make) = (SourceState(log: log, isDerived: true), make)
    }

    /// Disconnected.
    public var initialModel: Connectable<Value> { .disconnected(.init(connect: connectAction)) }

    private var connectAction: Action<Void> {
        action(ConnectableSource.connect, at: { $0.disconnected?.connect }, "connect")
    }
    private var disconnectAction: Action<Void> {
        action(ConnectableSource.disconnect, at: { $0.connected?.disconnect }, "disconnect")
    }

    private func connect() {
        connecting.withLock {
            guard current.withLock({ $0 == nil }) else { return }
            let connection = Connection(make())
            current.exchange(for: connection)
            // The present value comes before this returns.
            let token = connection.source.subscribe { [weak self, weak connection] value in
                if let self, let connection { receive(value, from: connection) }
            }
            connection.token.exchange(for: token)
        }
    }

    private func receive(_ value: Value, from connection: Connection) {
        update { model in
            // Not if it was disconnected meanwhile.
            guard current.withLock({ $0 }) === connection else { return }
            model = .connected(.init(value, disconnect: disconnectAction))
        }
    }

    private func disconnect() {
        let connection = current.exchange(for: nil)
        connection?.token.exchange(for: nil)?.cancel()
        model = .disconnected(.init(connect: connectAction))
    }
}
