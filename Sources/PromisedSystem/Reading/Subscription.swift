internal import Promise

/// A subscription to a broadcaster, which can be cancelled before it has been added.
final class Subscription<Value: Sendable>: Sendable {
    private struct State {
        var broadcaster: Broadcaster<Value>?
        var isCancelled = false
    }

    private let listener: Listener<Value>
    private let state = Lock(State())

    init(_ body: @escaping @Sendable (Value) -> Void, onEnd: @escaping @Sendable () -> Void) {
        listener = Listener(body, onEnd: onEnd)
    }

    /// Adds the listener, and delivers the present value if requested. Deferred until a running reducer has returned,
    /// as that may hold locks that this needs.
    ///
    /// - Parameter broadcaster: Returns a broadcaster that has a present value.
    /// - Returns: A token that retains the subscription, and cancels it when released.
    func begin(
        replayCurrent: Bool, at identity: SourceIdentity<Value>,
        _ broadcaster: @escaping @Sendable () -> Broadcaster<Value>
    ) -> SubscriptionToken {
        if replayCurrent { listener.beginReplay() }
        ReducerScope.afterReducer { [self] in
            guard let (present, isOver) = join(broadcaster) else { return }
            if replayCurrent { listener.replay(present.value, then: identity.onOwnerThread) }
            if isOver { listener.finish() }
        }
        return SubscriptionToken(endsOnRelease: true) { [self] in cancel() }
    }

    private func join(_ broadcaster: () -> Broadcaster<Value>) -> (present: ValueBox<Value>, isOver: Bool)? {
        while !state.withLock({ $0.isCancelled }) {
            let broadcaster = broadcaster()
            // A broadcaster that was closed concurrently rejects the listener: the next call returns a new one.
            guard let entry = broadcaster.add(listener) else { continue }
            let isCancelled = state.withLock { state in
                state.broadcaster = broadcaster
                return state.isCancelled
            }
            if !isCancelled { return entry }
            broadcaster.remove(listener)
        }
        return nil
    }

    private func cancel() {
        listener.retire()
        let broadcaster = state.withLock { state in
            state.isCancelled = true
            return state.broadcaster.take()
        }
        broadcaster?.remove(listener)
    }
}
