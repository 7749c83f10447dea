public import Promise

// The closures belong to no actor, wherever they are written: they are called on the scheduler, in order; the loop does
// not wait for them. What belongs to the main actor needs no scheduler, and is called there by the other forms.
extension System {
    /// Shows every state to one more view, on a scheduler of your choice; the present one first.
    ///
    /// - Parameters:
    ///   - scheduler: Where `binding` is called.
    ///   - binding: Draws a state. It must not keep the view alive: capture it weakly.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addBinding(
        on scheduler: some SerialScheduler, _ binding: @escaping @Sendable (State) -> Void
    ) -> SubscriptionToken {
        let callback = Callback(on: scheduler, binding)
        return add(callback, .binding, replayCurrent: true) { callback.call($0.state) }
    }

    /// Calls `callback` with every shown state on a scheduler of your choice.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - replayCurrent: Whether the state shown at present is told as well, first.
    ///   - callback: Called with the state, loading ones included.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addLoopCallback(
        on scheduler: some SerialScheduler, replayCurrent: Bool = false,
        callback: @escaping @Sendable (State) -> Void
    ) -> SubscriptionToken {
        let callback = Callback(on: scheduler, callback)
        return add(callback, .callback, replayCurrent: replayCurrent) { callback.call($0.state) }
    }

    /// Calls `callback` with every shown state and all that are remembered, on a scheduler of your choice.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - replayCurrent: Whether the state shown at present is told as well, first.
    ///   - callback: Called with the state and the history at that time, oldest first, of which it is the last. With no
    ///     history kept, that is the state alone.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addLoopCallback(
        on scheduler: some SerialScheduler, replayCurrent: Bool = false,
        callback: @escaping @Sendable (State, [State]) -> Void
    ) -> SubscriptionToken {
        let callback = Callback<(State, [State])>(on: scheduler) { callback($0.0, $0.1) }
        return add(callback, .callback, replayCurrent: replayCurrent) {
            [weak store = loop.store] notification in
            callback.call((notification.state, StateStore.seen(notification.state, by: store)))
        }
    }

    /// Calls `callback` with the record of every turn when it is over, on a scheduler of your choice.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - callback: Called with the record, as by ``onLoop(_:)``.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onLoop(
        on scheduler: some SerialScheduler, _ callback: @escaping @Sendable (LoopRecord<State, Event>) -> Void
    ) -> SubscriptionToken {
        add(Callback(on: scheduler, callback), to: loop.listeners.records)
    }

    /// Calls `callback` with the error of every transition and every effect that fails, on a scheduler of your choice.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - callback: Called with the error. Without one, such errors go to `PromiseDiagnostics`.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onError(
        on scheduler: some SerialScheduler, _ callback: @escaping @Sendable (any Error) -> Void
    ) -> SubscriptionToken {
        add(Callback(on: scheduler, callback), to: loop.listeners.errors)
    }

    /// Calls `callback` with the error of every transition that fails, and the event that it was for, on a scheduler of
    /// your choice.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - callback: Called with the error and the event. Without one, such errors go to `PromiseDiagnostics`.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onError(
        on scheduler: some SerialScheduler, _ callback: @escaping @Sendable (any Error, Event) -> Void
    ) -> SubscriptionToken {
        let callback = Callback<(any Error, Event)>(on: scheduler) { callback($0.0, $0.1) }
        return add(callback, to: loop.listeners.eventErrors)
    }
}
