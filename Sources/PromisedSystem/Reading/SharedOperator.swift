internal import Foundation
public import Promise

/// What stands behind the source that an operator returns.
///
/// All of its subscribers share one subscription to what the operator was applied to: it begins with the first of
/// them and ends with the last, and what the operator does is done once for each value.
final class SharedOperator<Value: Sendable>: Sendable {
    private let isPermanent: Bool
    private let connect: @Sendable (Broadcaster<Value>) -> Void
    private let connected = Lock<Broadcaster<Value>?>(nil)
    /// Held while connecting, so that a second subscriber waits for the present value of the first.
    private let connecting = NSRecursiveLock()

    /// - Parameters:
    ///   - isPermanent: Whether the connection outlives its last subscriber, because it has something to remember.
    ///   - connect: Subscribes to what the operator was applied to; a value is there when it returns.
    init(isPermanent: Bool = false, connect: @escaping @Sendable (Broadcaster<Value>) -> Void) {
        (self.isPermanent, self.connect) = (isPermanent, connect)
    }

    /// The present value, if there is a connection.
    var present: ValueBox<Value>? { connected.withLock { $0 }?.present }

    /// Whether there may be subscribers that have not been notified of it yet.
    var isNotifying: Bool { connected.withLock { $0 }?.isNotifying ?? false }

    /// The connection, made if there is none.
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
    /// The source of an operator that remembers nothing.
    ///
    /// - Parameters:
    ///   - scheduler: Where it delivers.
    ///   - isBehind: Whether what the operator was applied to has a value that may not have come here yet: then this
    ///     one's is made as if nobody were subscribed, so that it never depends on who is. Nil for never.
    ///   - read: The value for whoever reads while nobody is subscribed.
    ///   - connect: Subscribes a broadcaster to what the operator was applied to, weakly.
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

    /// The source of an operator with a memory, which listens for as long as there is somebody to ask it.
    ///
    /// - Parameters:
    ///   - first: The first value, from the one that is there now.
    ///   - next: What follows from the value before and a change; nil for nothing.
    @inlinable
    func remembering<Output: Sendable>(
        first: @escaping @Sendable (Value) -> Output,
        next: @escaping @Sendable (Output, Value) -> Output?
    ) -> Source<Output> {
        let broadcaster = Broadcaster<Output>(closesWhenUnused: false)
        let body: @Sendable (Value) -> Void = { [weak broadcaster] value in
            // Values come one at a time, so the one before is still there when the next is known.
            guard let broadcaster else { return }
            if let before = broadcaster.present {
                if let output = next(before.value, value) { broadcaster.publish(output) }
            } else {
                broadcaster.publish(first(value))
            }
        }
        broadcaster.keep(attach(true, body) { [weak broadcaster] in broadcaster?.finish() })
        // In a reducer, which may not subscribe, it has not heard the first value yet.
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
