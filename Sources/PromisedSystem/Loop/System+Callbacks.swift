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
        let callback = Callback(binding)
        return add(callback, .binding, replayCurrent: true) { callback.call($0.state) }
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
        let callback = Callback(callback)
        return add(callback, .callback, replayCurrent: replayCurrent) { callback.call($0.state) }
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
        let callback = Callback(joining: callback)
        return add(callback, .callback, replayCurrent: replayCurrent) {
            [weak store = loop.store] notification in
            callback.call((notification.state, StateStore.seen(notification.state, by: store)))
        }
    }

    /// Calls `callback` with the record of every turn when it is over, and of every event that had none. Whoever is
    /// added in the middle of a turn that takes no time hears from the next one on.
    ///
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onLoop(
        @_inheritActorContext _ callback:
            @escaping @isolated(any) @Sendable (LoopRecord<State, Event>) -> Void
    ) -> SubscriptionToken {
        add(Callback(callback), to: loop.listeners.records)
    }

    /// Calls `callback` with the error of every transition that fails, `CancellationError` included when it was
    /// the transition's own doing; one that was replaced has not failed. The errors of effects come here, too.
    ///
    /// Without one, such errors go to `PromiseDiagnostics`.
    ///
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (any Error) -> Void
    ) -> SubscriptionToken {
        add(Callback(callback), to: loop.listeners.errors)
    }

    /// Calls `callback` with the error of every transition that fails, and the event that it was for. Effects have no
    /// such event: their errors go to the other form alone.
    ///
    /// Without one, such errors go to `PromiseDiagnostics`.
    ///
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (any Error, Event) -> Void
    ) -> SubscriptionToken {
        add(Callback(joining: callback), to: loop.listeners.eventErrors)
    }

    /// - Parameter tell: Calls `callback`.
    func add<Input>(
        _ callback: Callback<Input>, _ priority: StateStore<State>.Priority, replayCurrent: Bool,
        _ tell: @escaping @Sendable (StateNotification<State>) -> Void
    ) -> SubscriptionToken {
        let (store, listener) = (loop.store, Listener(tell, onEnd: { callback.retire() }))
        // Its place is taken now. It joins in the loop's own order, so that no state is told twice or missed
        // around the present one.
        if replayCurrent { listener.gather() }
        ReducerScope.afterReducer { store.add(listener, priority) }
        if replayCurrent { loop.receive(.present { listener.join(store.present.notification) }) }
        // Weak: a token that outlives the system keeps no closure alive.
        return SubscriptionToken(endsOnRelease: false) { [weak store, weak listener, weak callback] in
            callback?.retire()
            if let listener { store?.remove(listener) }
        }
    }

    func add<Input>(_ callback: Callback<Input>, to handlers: Handlers<Input>) -> SubscriptionToken {
        handlers.add(callback)
        return SubscriptionToken(endsOnRelease: false) { [weak handlers, weak callback] in
            if let callback { handlers?.remove(callback) }
        }
    }
}

extension System where State: Equatable {
    /// Calls the one before every event that changes the state becomes visible, and the other after.
    ///
    /// - Parameters:
    ///   - willChange: Called with the state that still is, and the one to come; ``state`` is the old one.
    ///   - didChange: Called with the state that was, and the one that is, when all who look have been told.
    /// - Returns: The way to remove both; they last as long as the system otherwise.
    @discardableResult
    public func observe(
        @_inheritActorContext
        willChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in },
        @_inheritActorContext
        didChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in }
    ) -> SubscriptionToken {
        observe(by: ==, willChange: willChange, didChange: didChange)
    }
}

extension System {
    /// Calls the one before every event that changes the state becomes visible, and the other after.
    ///
    /// - Parameters:
    ///   - areEqual: Whether nothing has changed; then neither is called.
    ///   - willChange: Called with the state that still is, and the one to come; ``state`` is the old one.
    ///   - didChange: Called with the state that was, and the one that is, when all who look have been told.
    /// - Returns: The way to remove both; they last as long as the system otherwise.
    @discardableResult
    public func observe(
        by areEqual: @escaping @Sendable (State, State) -> Bool,
        @_inheritActorContext
        willChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in },
        @_inheritActorContext
        didChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in }
    ) -> SubscriptionToken {
        let will = add(Callback(joining: willChange, unless: areEqual), to: loop.listeners.willChange)
        let did = add(Callback(joining: didChange, unless: areEqual), to: loop.listeners.didChange)
        return SubscriptionToken(endsOnRelease: false) {
            will.cancel()
            did.cancel()
        }
    }
}

extension Loop {
    /// Shows the initial state to the bindings that are there from the start, and asks the feedbacks for the first
    /// time.
    @inlinable
    func begin(_ bindings: UIBindings<State>) {
        let join = bindings.all.isEmpty ? nil : gather(bindings)
        receive(
            .present { [self] in
                join?()
                if !isOver { effects?.ask(.state(store.ownerState, after: nil), self) }
            })
    }

    /// Has bindings wait for the first state.
    ///
    /// - Returns: Shows it to them.
    @usableFromInline
    func gather(_ bindings: UIBindings<State>) -> @Sendable () -> Void {
        let listeners = bindings.all.map { Callback($0) }.map { binding in
            Listener<StateNotification<State>>({ binding.call($0.state) }, onEnd: { binding.retire() })
        }
        for listener in listeners {
            listener.gather()
            store.add(listener, .binding)
        }
        return { [self] in for listener in listeners { listener.join(store.present.notification) } }
    }
}
