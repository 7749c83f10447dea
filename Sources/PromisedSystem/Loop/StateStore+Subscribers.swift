internal import Promise

// Who looks. A reducer that adds or removes somebody while it changes the scene has it done right after.
extension StateStore {
    /// - Returns: What was there when it joined, after which it misses nothing, and whether the end had come.
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
        ReducerScope.afterReducer { [self] in takeOut(listener) }
    }

    private func takeOut(_ listener: Listener<StateNotification<State>>) {
        let removed = contents.withLock { contents -> Listener<StateNotification<State>>? in
            guard let place = contents.subscribers.firstIndex(where: { $0 === listener }) else { return nil }
            contents.priorities.remove(at: place)
            return contents.subscribers.remove(at: place)
        }
        withExtendedLifetime(removed) {}
    }

    /// Subscribes to what is shown.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present state is told as well, right here, before this returns.
    ///   - showsInterim: Whether that may be one that stands in for the next; else the settled one is told.
    ///   - body: Told where the owner of the loop tells.
    ///   - onEnd: Told once when there will be no more.
    @usableFromInline
    func subscribe(
        replayCurrent: Bool, showsInterim: Bool = true,
        _ body: @escaping @Sendable (StateNotification<State>) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener(body, onEnd: onEnd)
        if replayCurrent { listener.gather() }
        ReducerScope.afterReducer { [self] in
            // Cancelled meanwhile, in the reducer that subscribed.
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
        // Weak: a token that outlives the system keeps no closure alive.
        return SubscriptionToken(endsOnRelease: true) { [weak self, weak listener] in
            guard let listener else { return }
            if let self { remove(listener) } else { listener.retire() }
        }
    }

    /// Subscribes to the states that transitions settle on. A present state that is only shown in place of one is
    /// not told: the settled one is.
    @inlinable
    func subscribeToSettled(
        replayCurrent: Bool, _ body: @escaping @Sendable (State) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        subscribe(
            replayCurrent: replayCurrent, showsInterim: false,
            { notification in if notification.kind == .committed { body(notification.state) } }, onEnd: onEnd)
    }

    /// Calls `body` at a moment in which no other state can come, with what gives the settled one: not from inside a
    /// reducer.
    @usableFromInline
    func enter(_ body: (@escaping @Sendable () -> State) -> Void) {
        contents.withLock { contents in body({ [settled = contents.settled] in settled.value }) }
    }

    /// Lets go of everyone who looked; the states stay readable.
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
