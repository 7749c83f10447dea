internal import Promise

/// One subscription to a broadcaster, from the moment in which it was asked for.
final class Subscription<Value: Sendable>: Sendable {
    private struct Subscriber {
        var broadcaster: Broadcaster<Value>?
        var isCancelled = false
    }

    private let listener: Listener<Value>
    private let seat = Lock(Subscriber())

    init(_ body: @escaping @Sendable (Value) -> Void, onEnd: @escaping @Sendable () -> Void) {
        listener = Listener(body, onEnd: onEnd)
    }

    /// Joins, and tells the present value if asked to; later if the caller is a reducer, which may hold what
    /// is needed for that.
    ///
    /// - Parameter broadcaster: Gives one that has a present value.
    /// - Returns: The way to end it, and what keeps it going.
    func begin(
        replayCurrent: Bool, at identity: SourceIdentity<Value>,
        _ broadcaster: @escaping @Sendable () -> Broadcaster<Value>
    ) -> SubscriptionToken {
        if replayCurrent { listener.gather() }
        ReducerScope.afterReducer { [self] in
            guard let (present, isOver) = join(broadcaster) else { return }
            if replayCurrent { listener.replay(present.value, then: identity.onOwnerThread) }
            if isOver { listener.finish() }
        }
        return SubscriptionToken(endsOnRelease: true) { [self] in cancel() }
    }

    private func join(_ broadcaster: () -> Broadcaster<Value>) -> (present: ValueBox<Value>, isOver: Bool)? {
        while !seat.withLock({ $0.isCancelled }) {
            let broadcaster = broadcaster()
            // One that has just been closed takes nobody: then there is a new one.
            guard let entry = broadcaster.add(listener) else { continue }
            let isCancelled = seat.withLock { seat in
                seat.broadcaster = broadcaster
                return seat.isCancelled
            }
            if !isCancelled { return entry }
            broadcaster.remove(listener)
        }
        return nil
    }

    private func cancel() {
        listener.retire()
        let broadcaster = seat.withLock { seat in
            seat.isCancelled = true
            return seat.broadcaster.take()
        }
        guard let broadcaster else { return }
        ReducerScope.afterReducer { [listener] in broadcaster.remove(listener) }
    }
}
