internal import Promise

// Closures written in main-actor code belong to the main actor and are called there; all others are called
// on the system's scheduler. `@_inheritActorContext` is how the language spells the first half, as in
// `Task.init`.
extension System {
    /// Shows every state to one more view; the present one first.
    ///
    /// - Parameter binding: Draws a state. It must not keep the view alive: capture it weakly.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addBinding(
        @_inheritActorContext _ binding: @escaping @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        let stage = loop.stage
        return add(Callback(binding), to: stage.bindings, replay: { stage.present.state })
    }

    /// Calls `callback` with every shown state, after the bindings: for analytics, logging, and the like.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the state shown at present is told as well, first.
    ///   - callback: Called with the state, loading ones included.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addLoopCallback(
        replayCurrent: Bool = false,
        @_inheritActorContext callback: @escaping @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        let stage = loop.stage
        let replay: (@Sendable () -> State)? = { stage.present.state }
        return add(Callback(callback), to: stage.callbacks, replay: replayCurrent ? replay : nil)
    }

    /// Calls `callback` with every shown state and all that are remembered, after the bindings.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the state shown at present is told as well, first.
    ///   - callback: Called with the state and the history, oldest first, of which it is the last. With no
    ///     history kept, that is the state alone.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addLoopCallback(
        replayCurrent: Bool = false,
        @_inheritActorContext callback: @escaping @isolated(any) @Sendable (State, [State]) -> Void
    ) -> SubscriptionToken {
        let stage = loop.stage
        let replay: (@Sendable () -> (State, [State]))? = {
            let state = stage.present.state
            return (state, stage.seen(state))
        }
        return add(
            Callback(joining: callback), to: stage.historyCallbacks, replay: replayCurrent ? replay : nil)
    }

    /// Calls `callback` with the record of every turn when it is over, and of every event that had none.
    ///
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onLoop(
        @_inheritActorContext _ callback:
            @escaping @isolated(any) @Sendable (LoopRecord<State, Event>) -> Void
    ) -> SubscriptionToken {
        add(Callback(callback), to: loop.stage.records)
    }

    /// Calls `callback` with the error of every transition that fails, `CancellationError` included when it was
    /// the transition's own doing; one that was replaced has not failed.
    ///
    /// Without one, such errors go to `PromiseDiagnostics`.
    ///
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (any Error) -> Void
    ) -> SubscriptionToken {
        add(Callback(callback), to: loop.stage.errors)
    }

    /// Calls `callback` with the error of every transition that fails, and the event that it was for.
    ///
    /// Without one, such errors go to `PromiseDiagnostics`.
    ///
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (any Error, Event) -> Void
    ) -> SubscriptionToken {
        add(Callback(joining: callback), to: loop.stage.eventErrors)
    }

    private func add<Input>(
        _ callback: Callback<Input>, to handlers: Handlers<Input>, replay: (@Sendable () -> Input)? = nil
    ) -> SubscriptionToken {
        if let replay {
            // Its place is taken now. It joins in the loop's own order, so that no state is told twice or
            // missed around the present one.
            callback.hold()
            handlers.add(callback)
            loop.receive(.present { if callback.join() { callback.call(replay()) } })
        } else {
            handlers.add(callback)
        }
        // Weak: a token that outlives the system keeps no closure alive.
        return SubscriptionToken(endsOnRelease: false) { [weak handlers, weak callback] in
            if let callback { handlers?.remove(callback) }
        }
    }
}
