internal import Promise

// An object adds its method: `system.addLoopCallback(self, Presenter.handleAnalytics)`. A closure of that method, as in
// `addLoopCallback(callback: handleAnalytics)`, would keep the object.
extension System {
    /// Shows every state to a method of an object, which this does not hold; the present one first.
    ///
    /// - Parameters:
    ///   - object: The view, or who knows it.
    ///   - method: Draws a state; a method of the main actor is called there. When the object has gone, nothing is.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addBinding<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        let callback = Callback<State>(object, method) { $0 }
        return add(callback, .binding, replayCurrent: true) { callback.call($0.state) }
    }

    /// Calls a method of an object with every shown state, after the bindings. The object is not held.
    ///
    /// ```swift
    /// final class Analytics: Sendable {
    ///     func track(_ state: Int) { print("tracked", state) }
    /// }
    /// let (analytics, counter) = (Analytics(), System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) })
    /// counter.addLoopCallback(analytics, Analytics.track)
    /// counter.sendEvent(1)
    /// ```
    ///
    /// - Parameters:
    ///   - object: May be the owner of the system.
    ///   - method: Called with the state, loading ones included; a method of the main actor is called there. When the
    ///     object has gone, nothing is.
    ///   - replayCurrent: Whether the state shown at present is told as well, first.
    /// - Returns: The way to remove it; it lasts as long as the system otherwise.
    @discardableResult
    public func addLoopCallback<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (State) -> Void,
        replayCurrent: Bool = false
    ) -> SubscriptionToken {
        let callback = Callback<State>(object, method) { $0 }
        return add(callback, .callback, replayCurrent: replayCurrent) { callback.call($0.state) }
    }
}
