public import Promise

/// The connection of a stateless operator to its upstream source, shared by all subscribers.
///
/// It begins with the first subscriber and ends with the last, so the operator's closure is called once per value.
private final class SharedOperator<Value: Sendable>: Sendable {
    private let connect: @Sendable (Broadcaster<Value>) -> Void
    private let current = Lock<Broadcaster<Value>?>(nil)

    /// - Parameter connect: Subscribes to the upstream source; has published a value when it returns.
    init(_ connect: @escaping @Sendable (Broadcaster<Value>) -> Void) { self.connect = connect }

    /// The last connection, which may have been closed; nil if there was none.
    var connected: Broadcaster<Value>? { current.withLock { $0 } }

    /// The connection, created if there is none.
    ///
    /// It is created under no lock, as the operator's closure is called for the first value. Of two that are created at
    /// the same time, the first one that has a value is kept for both.
    func connection() -> Broadcaster<Value> {
        while true {
            let before = connected
            if let before, before.present != nil { return before }
            let broadcaster = Broadcaster<Value>(closesWhenUnused: true)
            connect(broadcaster)
            let isKept = current.withLock { current in
                guard current === before else { return false }
                current = broadcaster
                return true
            }
            if isKept { return broadcaster }
            broadcaster.closeIfUnused()
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
        let node = SharedOperator(connect)
        self.init(scheduler, isBehind: isBehind, read: read) { $0 ? node.connection() : node.connected }
    }

    /// Creates a source whose subscribers subscribe to a broadcaster. If the operator stores state, that broadcaster
    /// stays connected without subscribers.
    ///
    /// - Parameters:
    ///   - identity: Makes sources of one owner equal; a new one if nil.
    ///   - read: Computes the value for a read while the broadcaster has none.
    ///   - broadcaster: Returns the broadcaster. Called with true to connect one, which then has a present value unless
    ///     it is closed concurrently; called with false, it returns the one that was connected last, if any.
    @usableFromInline
    init(
        _ scheduler: (any SerialScheduler)?, identity: SourceIdentity<Value>? = nil,
        isBehind: (@Sendable () -> Bool)? = nil, read: @escaping @Sendable () -> Value,
        broadcaster: @escaping @Sendable (_ connects: Bool) -> Broadcaster<Value>?
    ) {
        let isBehind = { @Sendable in isBehind?() ?? false || broadcaster(false)?.isBehind ?? false }
        self.init(
            identity: identity ?? SourceIdentity<Value>(scheduler),
            read: { isBehind() ? read() : broadcaster(false)?.present?.value ?? read() },
            isNotifying: { isBehind() || broadcaster(false)?.isNotifying ?? false }
        ) { replayCurrent, body, onEnd in
            let joined = Lock<Broadcaster<Value>?>(nil)
            let listener = Listener(body, onEnd: onEnd)
            listener.begin(replayCurrent: replayCurrent, on: scheduler) { listener in
                // A broadcaster that was closed concurrently rejects the listener: the next call returns a new one.
                while !listener.isCancelled {
                    guard let list = broadcaster(true), let (present, isOver) = list.add(listener) else {
                        continue
                    }
                    joined.withLock { $0 = list }
                    if !listener.isCancelled { return ({ present.value }, isOver) }
                    list.remove(listener)
                }
                return nil
            }
            // Weak, so that a token that outlives the owner does not retain what the subscriber captures.
            return SubscriptionToken(endsOnRelease: true) { [weak listener] in
                guard let listener else { return }
                listener.retire()
                joined.withLock { $0.take() }?.remove(listener)
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
        let broadcaster = Broadcaster<Output>()
        feed(broadcaster) { broadcaster, value in
            // Values arrive one at a time, so the previous one is unchanged until this publishes.
            if let before = broadcaster.present {
                if let output = next(before.value, value) { broadcaster.publish(output) }
            } else {
                broadcaster.publish(first(value))
            }
        }
        // Subscribing inside a reducer is deferred: then the first value has not been received yet.
        return Source<Output>(scheduler, read: { [read] in first(read()) }) { _ in broadcaster }
    }

    /// Subscribes a broadcaster to this source, without retaining it.
    @inlinable
    func feed<Output: Sendable>(
        _ broadcaster: Broadcaster<Output>, _ body: @escaping @Sendable (Broadcaster<Output>, Value) -> Void
    ) {
        let receive: @Sendable (Value) -> Void = { [weak broadcaster] value in
            if let broadcaster { body(broadcaster, value) }
        }
        broadcaster.keep(attach(true, receive) { [weak broadcaster] in broadcaster?.finish() })
    }
}
