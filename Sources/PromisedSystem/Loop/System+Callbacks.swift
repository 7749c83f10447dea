internal import Promise

// Closures written in main-actor code are isolated to the main actor and called there; nonisolated ones are called
// on the system's scheduler. `@_inheritActorContext` makes a closure inherit the isolation of its context, as in
// `Task.init`.
extension System {
    /// Calls `binding` with the state shown now, and with every state shown from then on.
    ///
    /// - Parameter binding: Renders a state, loading ones included. Capture the view weakly: the system retains the
    ///   closure.
    /// - Returns: A token that removes the binding when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addBinding(
        @_inheritActorContext _ binding: @escaping @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        add(Callback(binding), .binding, replayCurrent: true)
    }

    /// Calls `callback` with every shown state, after the bindings: for analytics, logging, and the like.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether `callback` is first called with the state shown now.
    ///   - callback: Called with the state, loading ones included.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addLoopCallback(
        replayCurrent: Bool = false,
        @_inheritActorContext callback: @escaping @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        add(Callback(callback), .callback, replayCurrent: replayCurrent)
    }

    /// Calls `callback` with every shown state and the history, after the bindings.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether `callback` is first called with the state shown now.
    ///   - callback: Called with the state and the history, oldest first, which ends with that state. If the system
    ///     keeps no history, the array contains the state alone.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addLoopCallback(
        replayCurrent: Bool = false,
        @_inheritActorContext callback: @escaping @isolated(any) @Sendable (State, [State]) -> Void
    ) -> SubscriptionToken {
        add(Callback(joining: callback), replayCurrent: replayCurrent)
    }

    /// Calls `callback` with the record of every turn when it is over, and of every event that was dropped.
    ///
    /// A callback that is added during a synchronous turn receives records from the next turn on.
    ///
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func onLoop(
        @_inheritActorContext _ callback:
            @escaping @isolated(any) @Sendable (LoopRecord<State, Event>) -> Void
    ) -> SubscriptionToken {
        loop.observers.records.add(Callback(callback))
    }

    /// Calls `callback` with the error of every transition and every effect that fails.
    ///
    /// A `CancellationError` that the work itself brings is a failure like any other. The callback is not called for
    /// work that the system has cancelled, such as a transition that another event replaced. Without an error callback,
    /// errors go to `PromiseDiagnostics`.
    ///
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (any Error) -> Void
    ) -> SubscriptionToken {
        loop.observers.errors.add(Callback(callback))
    }

    /// Calls `callback` with the error of every transition that fails, and the event of that transition.
    ///
    /// An effect has no such event: its error goes only to the overload that takes the error alone, and without one to
    /// `PromiseDiagnostics`. Without any error callback, errors of transitions go there as well.
    ///
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (any Error, Event) -> Void
    ) -> SubscriptionToken {
        loop.observers.eventErrors.add(Callback(joining: callback))
    }

    func add(
        _ callback: Callback<State>, _ priority: Priority, replayCurrent: Bool
    ) -> SubscriptionToken {
        add(Listener(showing: callback, priority), replayCurrent)
    }

    func add(_ callback: Callback<(State, [State])>, replayCurrent: Bool) -> SubscriptionToken {
        let listener = Listener<StateNotification<State>>(callback, .callback) { [weak store = loop.store] in
            ($0.state, StateStore.seen($0.state, by: store))
        }
        return add(listener, replayCurrent)
    }

    private func add(
        _ listener: Listener<StateNotification<State>>, _ replayCurrent: Bool
    ) -> SubscriptionToken {
        let store = loop.store
        // Its position in the list is fixed now. The replay is a message to the loop, so that no state is delivered
        // twice or missed between the replay and the next change.
        if replayCurrent { listener.begin(.waiting) }
        store.add(listener)
        if replayCurrent { loop.receive(.command { listener.join(store.present.notification) }) }
        return store.token(of: listener, endsOnRelease: false)
    }
}

extension System where State: Equatable {
    /// Calls `willChange` before each change of the settled state becomes visible, and `didChange` after it.
    ///
    /// - Parameters:
    ///   - willChange: Called with the current state and the next one; ``state`` still returns the current one.
    ///   - didChange: Called with the previous state and the new one, after bindings, subscribers and callbacks.
    /// - Returns: A token that removes both when cancelled. Without that, they stay as long as the system.
    @discardableResult
    public func observe(
        @_inheritActorContext
        willChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in },
        @_inheritActorContext
        didChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in }
    ) -> SubscriptionToken {
        observe(by: areSame, willChange: willChange, didChange: didChange)
    }
}

extension System {
    /// Calls `willChange` before each change of the settled state becomes visible, and `didChange` after it.
    ///
    /// - Parameters:
    ///   - areEqual: Compares the two states; if they are equal, neither closure is called.
    ///   - willChange: Called with the current state and the next one; ``state`` still returns the current one.
    ///   - didChange: Called with the previous state and the new one, after bindings, subscribers and callbacks.
    /// - Returns: A token that removes both when cancelled. Without that, they stay as long as the system.
    @discardableResult
    public func observe(
        by areEqual: @escaping @Sendable (State, State) -> Bool,
        @_inheritActorContext
        willChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in },
        @_inheritActorContext
        didChange: @escaping @isolated(any) @Sendable (_ from: State, _ to: State) -> Void = { _, _ in }
    ) -> SubscriptionToken {
        let change = { @Sendable (before: ValueBox<State>, after: ValueBox<State>) -> (State, State)? in
            areEqual(before.value, after.value) ? nil : (before.value, after.value)
        }
        let will = loop.observers.willChange.add(Callback(joining: willChange)) {
            change($0.before, $0.after)
        }
        let did = loop.observers.didChange.add(Callback(joining: didChange)) { change($0.before, $0.after) }
        return SubscriptionToken(endsOnRelease: false) {
            will.cancel()
            did.cancel()
        }
    }
}

// For a test kit.
extension System {
    /// Calls `body` with the report of each failed transition or effect, in place of `PromiseDiagnostics`, and whether
    /// an `onError` callback received the error.
    package func onFailure(
        _ body: @escaping @Sendable (PromiseDiagnostics.Report, _ isHandled: Bool) -> Void
    ) -> SubscriptionToken {
        loop.observers.failures.add(Callback(joining: body))
    }

    /// Calls `body` at the beginning of every turn, after the middleware, with the event and where it was sent.
    package func onTurn(_ body: @escaping @Sendable (Event, Origin) -> Void) -> SubscriptionToken {
        loop.observers.turns.add(Callback(joining: body))
    }
}

extension Loop {
    /// Shows the initial state to the bindings passed to the initialiser, and evaluates the feedbacks for the first
    /// time.
    @inlinable
    func begin(_ bindings: UIBindings<State>) {
        let join = bindings.all.isEmpty ? nil : add(bindings)
        receive(
            .perform { [self] in
                join?()
                if !isOver { effects?.ask(.state(ownerState, after: nil), self) }
            })
    }

    /// Adds bindings, which receive nothing until the initial state is shown.
    ///
    /// - Returns: A closure that shows them the initial state.
    @usableFromInline
    func add(_ bindings: UIBindings<State>) -> @Sendable () -> Void {
        let listeners = bindings.all.map { Listener(showing: Callback($0), .binding) }
        for listener in listeners {
            listener.begin(.waiting)
            store.add(listener)
        }
        return { [self] in for listener in listeners { listener.join(store.present.notification) } }
    }
}
