public import Promise

// The closure of the first overload is not isolated, even in isolated code: it is called on the scheduler. For the
// main queue the second overload is preferred, whose closure may access main-actor state.
extension Source {
    /// Calls `body` with every value on a scheduler of your choice, for as long as the token is retained.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 0, scheduler: .serial("counter")) { .value($0 + $1) }
    /// let token = counter.settled.subscribe(on: .serial("output")) { print("now", $0) }
    /// counter.sendEvent(2)
    /// token.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - scheduler: Where `body` is called, in the order of the values; the owner does not wait for it.
    ///   - replayCurrent: Whether the present value is delivered as well, on the scheduler, before all others.
    ///   - body: Called with each value.
    /// - Returns: A token to retain: releasing it cancels the subscription, and pending values are not delivered.
    @_disfavoredOverload
    public func subscribe(
        on scheduler: some SerialScheduler, replayCurrent: Bool = true,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> SubscriptionToken {
        subscribe(Callback(on: scheduler, body), replayCurrent)
    }

    /// Subscribes a callback; cancelling the token also stops calls that are in flight.
    func subscribe(_ callback: Callback<Value>, _ replayCurrent: Bool) -> SubscriptionToken {
        let subscription = attach(replayCurrent, { callback.call($0) }, {})
        return SubscriptionToken(endsOnRelease: true) { [weak callback] in
            callback?.retire()
            subscription.cancel()
        }
    }

    /// Calls `body` with every value on the main actor, for as long as the token is retained.
    ///
    /// - Parameters:
    ///   - scheduler: The main queue.
    ///   - replayCurrent: Whether the present value is delivered as well: synchronously if the caller is on the main
    ///     thread.
    ///   - body: Called with each value.
    /// - Returns: A token to retain: releasing it cancels the subscription.
    public func subscribe(
        on scheduler: MainScheduler, replayCurrent: Bool = true, _ body: @escaping @MainActor (Value) -> Void
    ) -> SubscriptionToken {
        subscribe(replayCurrent: replayCurrent) { @MainActor value in body(value) }
    }
}
