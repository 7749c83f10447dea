internal import Promise

// An object registers its method: `system.addLoopCallback(self, Presenter.handleAnalytics)`. The method as a closure,
// as in `addLoopCallback(callback: handleAnalytics)`, would retain the object.
extension System {
    /// Calls a method of an object with the state shown now, and with every state shown from then on.
    ///
    /// The object is referenced weakly. After its deallocation, the binding is a no-op.
    ///
    /// - Parameters:
    ///   - object: The view, or the object that updates it.
    ///   - method: Renders a state, loading ones included; a method of the main actor is called on the main actor.
    /// - Returns: A token that removes the binding when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addBinding<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        add(Callback(object, method) { $0 }, .binding, replayCurrent: true)
    }

    /// Calls a method of an object with every shown state, after the bindings.
    ///
    /// The object is referenced weakly. After its deallocation, the callback is a no-op.
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
    ///   - object: Referenced weakly, so it may own the system.
    ///   - method: Called with the state, loading ones included; a method of the main actor is called on the main
    ///     actor.
    ///   - replayCurrent: Whether `method` is first called with the state shown now.
    /// - Returns: A token that removes the callback when cancelled. Without that, it stays as long as the system.
    @discardableResult
    public func addLoopCallback<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (State) -> Void,
        replayCurrent: Bool = false
    ) -> SubscriptionToken {
        add(Callback(object, method) { $0 }, .callback, replayCurrent: replayCurrent)
    }
}
