public import Promise

/// The shared storage of the source that an operator returns.
///
/// All subscribers share one subscription to the upstream source. It begins with the first subscriber and ends with the
/// last, so the operator's closure is called once per value.
final class SharedOperator<Value: Sendable>: Sendable {
    private let isPermanent: Bool
    private let connect: @Sendable (Broadcaster<Value>) -> Void
    private let connected = Lock<Broadcaster<Value>?>(nil)
    /// Held while connecting, so that a second subscriber waits until the first connection has a present value.
    private let connecting = RecursiveLock()

    /// - Parameters:
    ///   - isPermanent: Whether the connection outlives its last subscriber, because it stores state of its own.
    ///   - connect: Subscribes to the upstream source; has published a value when it returns.
    init(isPermanent: Bool = false, connect: @escaping @Sendable (Broadcaster<Value>) -> Void) {
        (self.isPermanent, self.connect) = (isPermanent, connect)
    }

    /// The present value; nil while there is no connection.
    var present: ValueBox<Value>? { connected.withLock { $0 }?.present }

    /// Whether there may be subscribers that have not been notified of the present value yet.
    var isNotifying: Bool { connected.withLock { $0 }?.isNotifying ?? false }

    /// The connection, created if there is none.
    func connection() -> Broadcaster<Value> {
        if let broadcaster = connected.withLock({ $0 }), broadcaster.present != nil { return broadcaster }
        return connecting.withLock {
            if let broadcaster = connected.withLock({ $0 }), broadcaster.present != nil { return broadcaster }
            let broadcaster = Broadcaster<Value>(closesWhenUnused: !isPermanent)
            connect(broadcaster)
            let before = connected.withLock { connected in
                defer { connected = broadcaster }
                return connected
            }
            withExtendedLifetime(before) {}
            return broadcaster
        }
    }
}

extension Source {
    /// Creates the source of a stateless operator.
    ///
    /// - Parameters:
    ///   - scheduler: Where it delivers.
    ///   - isBehind: Whether the upstream source may have a value that has not arrived here yet: then a read computes
    ///     the value as if there were no subscribers, so that the result never depends on whether there are. Nil for
    ///     never.
    ///   - read: Computes the value for a read while there are no subscribers.
    ///   - connect: Subscribes a broadcaster, referenced weakly, to the upstream source.
    @usableFromInline
    init(
        deliveringLike scheduler: (any SerialScheduler)?, isBehind: (@Sendable () -> Bool)?,
        read: @escaping @Sendable () -> Value, connect: @escaping @Sendable (Broadcaster<Value>) -> Void
    ) {
        self.init(SharedOperator(connect: connect), scheduler, isBehind: isBehind, read: read)
    }

    init(
        _ node: SharedOperator<Value>, _ scheduler: (any SerialScheduler)?,
        isBehind: (@Sendable () -> Bool)? = nil,
        read: @escaping @Sendable () -> Value
    ) {
        let identity = SourceIdentity<Value>(scheduler)
        self.init(
            identity: identity, read: { isBehind?() ?? false ? read() : node.present?.value ?? read() },
            isNotifying: { isBehind?() ?? false || node.isNotifying }
        ) { replayCurrent, body, onEnd in
            Subscription(body, onEnd: onEnd).begin(replayCurrent: replayCurrent, at: identity) {
                node.connection()
            }
        }
    }

    /// Creates the source of a stateful operator, which is subscribed to this source until the result and its
    /// subscriptions are released.
    ///
    /// - Parameters:
    ///   - first: Makes the first value from the present one.
    ///   - next: Makes the next value from the previous one and a change; nil for no change.
    @inlinable
    func remembering<Output: Sendable>(
        first: @escaping @Sendable (Value) -> Output,
        next: @escaping @Sendable (Output, Value) -> Output?
    ) -> Source<Output> {
        let broadcaster = Broadcaster<Output>(closesWhenUnused: false)
        let body: @Sendable (Value) -> Void = { [weak broadcaster] value in
            // Values arrive one at a time, so the previous one is unchanged until this publishes.
            guard let broadcaster else { return }
            if let before = broadcaster.present {
                if let output = next(before.value, value) { broadcaster.publish(output) }
            } else {
                broadcaster.publish(first(value))
            }
        }
        broadcaster.keep(attach(true, body) { [weak broadcaster] in broadcaster?.finish() })
        // Subscribing inside a reducer is deferred: then the first value has not been received yet.
        return Source<Output>(broadcaster, scheduler, first: { [read] in first(read()) })
    }

    @usableFromInline
    init(
        _ broadcaster: Broadcaster<Value>, _ scheduler: (any SerialScheduler)?,
        first: @escaping @Sendable () -> Value
    ) {
        let identity = SourceIdentity<Value>(scheduler)
        self.init(
            identity: identity, read: { broadcaster.present?.value ?? first() },
            isNotifying: { broadcaster.isNotifying }
        ) { replayCurrent, body, onEnd in
            Subscription(body, onEnd: onEnd).begin(replayCurrent: replayCurrent, at: identity) { broadcaster }
        }
    }
}
