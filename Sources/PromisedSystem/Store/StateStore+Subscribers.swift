internal import Promise

extension StateStore: SubscriberList {
    /// Adds a subscriber, which receives every later change.
    func add(_ listener: Listener<StateNotification<State>>) {
        contents.withLock { _ = $0.subscribers.add(listener) }
    }

    func remove(_ listener: Listener<StateNotification<State>>) {
        contents.withLock { _ = $0.subscribers.remove(listener) }
    }

    /// Subscribes to the shown states.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether `body` is first called with the current state, on this thread, before this returns.
    ///   - showsInterim: Whether the replayed state may be an interim one; if false, the settled one is replayed.
    ///   - body: Called by the owner of the loop, with every later change.
    ///   - onEnd: Called once when no more states follow.
    @usableFromInline
    func subscribe(
        replayCurrent: Bool, showsInterim: Bool = true,
        _ body: @escaping @Sendable (StateNotification<State>) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener(body, onEnd: onEnd)
        listener.begin(replayCurrent: replayCurrent, on: scheduler) { [self] listener in
            if replayCurrent { noteRead(ofHistory: false) }
            return withContents { contents in
                contents.subscribers.add(listener)
                let settled = StateChange(contents.settled, .committed)
                let present = showsInterim ? contents.present : settled
                return ({ present.notification }, contents.isOver)
            }
        }
        return token(of: listener, endsOnRelease: true)
    }

    /// Subscribes to the states that transitions settle on. Interim states are not delivered; if one is shown now, the
    /// settled state is replayed in its place.
    @inlinable
    func subscribeToSettled(
        replayCurrent: Bool, _ body: @escaping @Sendable (State) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        subscribe(
            replayCurrent: replayCurrent, showsInterim: false,
            { notification in if notification.kind == .committed { body(notification.state) } }, onEnd: onEnd)
    }

    /// Removes all subscribers and notifies them of the end. The states stay readable.
    @usableFromInline
    func close() {
        let subscribers = contents.withLock { contents in
            contents.isOver = true
            return contents.subscribers.close()
        }
        subscribers.finish()
    }
}
