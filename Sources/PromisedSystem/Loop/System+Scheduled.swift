public import Promise

// These closures are nonisolated, even if written in main-actor code. They are called on the scheduler, in order, and
// the loop does not wait for them. Main-actor closures need no scheduler: the other overloads call them on the main
// actor.
extension System {
    /// Calls `binding` on the given scheduler with the state shown now, and with every state shown from then on.
    ///
    /// - Parameters:
    ///   - scheduler: Where `binding` is called.
    ///   - binding: Renders a state, loading ones included. Capture the view weakly: the system retains the closure.
    /// - Returns: A token that removes the binding when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addBinding(
        on scheduler: some SerialScheduler, _ binding: @escaping @Sendable (State) -> Void
    ) -> SubscriptionToken {
        add(Callback(on: scheduler, binding), .binding, replayCurrent: true)
    }

    /// Calls `callback` on the given scheduler with every shown state.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - replayCurrent: Whether `callback` is first called with the state shown now.
    ///   - callback: Called with the state, loading ones included.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addLoopCallback(
        on scheduler: some SerialScheduler, replayCurrent: Bool = false,
        callback: @escaping @Sendable (State) -> Void
    ) -> SubscriptionToken {
        add(Callback(on: scheduler, callback), .callback, replayCurrent: replayCurrent)
    }

    /// Calls `callback` on the given scheduler with every shown state and the history.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - replayCurrent: Whether `callback` is first called with the state shown now.
    ///   - callback: Called with the state and the history up to it, oldest first. If the system keeps no history, the
    ///     array contains the state alone.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addLoopCallback(
        on scheduler: some SerialScheduler, replayCurrent: Bool = false,
        callback: @escaping @Sendable (State, [State]) -> Void
    ) -> SubscriptionToken {
        add(Callback(on: scheduler) { callback($0.0, $0.1) }, replayCurrent: replayCurrent)
    }

    /// Calls `callback` on the given scheduler with the record of every turn when it is over.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - callback: Called with the same records as the callback of ``onLoop(_:)``, dropped events included.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func onLoop(
        on scheduler: some SerialScheduler, _ callback: @escaping @Sendable (LoopRecord<State, Event>) -> Void
    ) -> SubscriptionToken {
        loop.observers.records.add(Callback(on: scheduler, callback))
    }

    /// Calls `callback` on the given scheduler with the error of every transition and every effect that fails.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - callback: Called with the error. Without an error callback, errors go to
    ///     `PromiseDiagnostics`.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func onError(
        on scheduler: some SerialScheduler, _ callback: @escaping @Sendable (any Error) -> Void
    ) -> SubscriptionToken {
        loop.observers.errors.add(Callback(on: scheduler, callback))
    }

    /// Calls `callback` on the given scheduler with the error of every transition that fails, and its event.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called.
    ///   - callback: Called with the error and the event. Without an error callback, errors go to
    ///     `PromiseDiagnostics`.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func onError(
        on scheduler: some SerialScheduler, _ callback: @escaping @Sendable (any Error, Event) -> Void
    ) -> SubscriptionToken {
        loop.observers.eventErrors.add(Callback(on: scheduler) { callback($0.0, $0.1) })
    }
}
