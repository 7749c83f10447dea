internal import Promise

// Adding and removing listeners. Inside a reducer, which may run under the lock, this is deferred until it returns.
extension StateStore {
    /// Adds a listener, which receives every later change.
    ///
    /// - Returns: The shown and the settled state at the time of adding, and whether the store is closed.
    @discardableResult
    func add(
        _ listener: Listener<StateNotification<State>>, _ priority: Priority
    ) -> (present: (moment: StateChange<State>, settled: ValueBox<State>), isOver: Bool) {
        contents.withLock { contents in
            if !contents.isOver {
                let place = contents.priorities.firstIndex { $0 > priority } ?? contents.priorities.endIndex
                contents.priorities.insert(priority, at: place)
                contents.subscribers.insert(listener, at: place)
            }
            return ((contents.present, contents.settled), contents.isOver)
        }
    }

    func remove(_ listener: Listener<StateNotification<State>>) {
        listener.retire()
        ReducerScope.afterReducer { [self] in removeFromList(listener) }
    }

    private func removeFromList(_ listener: Listener<StateNotification<State>>) {
        let removed = contents.withLock { contents -> Listener<StateNotification<State>>? in
            guard let place = contents.subscribers.firstIndex(where: { $0 === listener }) else { return nil }
            contents.priorities.remove(at: place)
            return contents.subscribers.remove(at: place)
        }
        withExtendedLifetime(removed) {}
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
        if replayCurrent { listener.beginReplay() }
        ReducerScope.afterReducer { [self] in
            // It may have been cancelled meanwhile, in the reducer that subscribed.
            guard !listener.isCancelled else { return }
            let (present, isOver) = add(listener, .subscriber)
            if replayCurrent {
                listener.replay(
                    (showsInterim ? present.moment : StateChange(present.settled, .committed)).notification
                ) {
                    work in
                    if scheduler.isCurrent { work() } else { scheduler.schedule(work) }
                }
            }
            if isOver { listener.finish() }
        }
        // Weak: a token that outlives the system retains no closure.
        return SubscriptionToken(endsOnRelease: true) { [weak self, weak listener] in
            guard let listener else { return }
            if let self { remove(listener) } else { listener.retire() }
        }
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

    /// Calls `body` under the lock, so that the state can't change meanwhile, with a closure that returns the settled
    /// state. Must not be called from inside a reducer.
    @usableFromInline
    func enter(_ body: (@escaping @Sendable () -> State) -> Void) {
        contents.withLock { contents in body({ [settled = contents.settled] in settled.value }) }
    }

    /// Removes all listeners and ends their subscriptions. The states stay readable.
    @usableFromInline
    func close() { ReducerScope.afterReducer { [self] in end() } }

    private func end() {
        let subscribers = contents.withLock { contents in
            defer { (contents.subscribers, contents.priorities) = ([], []) }
            contents.isOver = true
            return contents.subscribers
        }
        for listener in subscribers { listener.finish() }
    }
}
