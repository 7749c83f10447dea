public import Promise

// The closure belongs to no actor, wherever it is written: it is called on the scheduler. On the main queue, the second
// form is preferred: its closure may touch main-actor state.
extension Source {
    /// Calls `body` with every value on a scheduler of your choice, as long as the token is kept.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 0, scheduler: .serial("counter")) { .value($0 + $1) }
    /// let token = counter.settled.subscribe(on: .serial("output")) { print("now", $0) }
    /// counter.sendEvent(2)
    /// token.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - scheduler: Where `body` runs, in the order of the values; the owner does not wait for it.
    ///   - replayCurrent: Whether the present value is delivered as well, there, before all others.
    ///   - body: Called with a value.
    /// - Returns: Keep it: when it goes, the subscription ends, and what is on its way is not delivered.
    @_disfavoredOverload
    public func subscribe(
        on scheduler: some SerialScheduler, replayCurrent: Bool = true,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> SubscriptionToken {
        let callback = Callback(on: scheduler, body)
        let subscription = attach(replayCurrent, { callback.call($0) }, {})
        return SubscriptionToken(endsOnRelease: true) { [weak callback] in
            callback?.retire()
            subscription.cancel()
        }
    }

    /// Calls `body` with every value on the main actor, as long as the token is kept.
    ///
    /// - Parameters:
    ///   - scheduler: The main queue.
    ///   - replayCurrent: Whether the present value is delivered as well: right here if the caller is on the main
    ///     thread.
    ///   - body: Called with a value.
    /// - Returns: Keep it: when it goes, the subscription ends.
    public func subscribe(
        on scheduler: MainScheduler, replayCurrent: Bool = true, _ body: @escaping @MainActor (Value) -> Void
    ) -> SubscriptionToken {
        subscribe(replayCurrent: replayCurrent) { @MainActor value in body(value) }
    }
}
