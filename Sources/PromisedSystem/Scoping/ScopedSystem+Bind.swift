internal import Promise

// Binds a view to the state and the events of a system.
extension ScopedSystem {
    /// Shows every state in a view, loading states included, and sends the view's events. The view is not retained:
    /// after it is released, it is not called any more, and events sent for it are dropped.
    ///
    /// ```swift
    /// @MainActor final class Screen {
    ///     private(set) var text = ""
    ///     var onTap: () -> Void = {}
    ///     func show(_ count: Int) { text = "\(count) cups" }
    /// }
    /// let cups = System<Int, Int>(initialState: 0, scheduler: .main) { .value($0 + $1) }
    /// await MainActor.run {
    ///     let screen = Screen()
    ///     cups.scoped().bind(screen, show: Screen.show) { send in screen.onTap = { send(1) } }
    ///     screen.onTap()
    ///     print(screen.text)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - view: Held weakly. It retains the system if it stores the closure that sends events.
    ///   - show: Called with the current state before this returns, and with every later one where the system delivers.
    ///     A method of the main actor is called on the main actor instead.
    ///   - listen: Called once, before this returns, with a closure that sends events: from any thread, during the
    ///     lifetime of the view.
    /// - Returns: A token that ends both directions earlier. Discarding it does not end them.
    @discardableResult
    public func bind<View: AnyObject & Sendable>(
        _ view: View, show: @escaping @Sendable (View) -> @isolated(any) @Sendable (State) -> Void,
        events listen: (_ send: @escaping @Sendable (Event) -> Void) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        let subscription = shown.subscribe(view, Callback(view, show) { $0.state }, true)
        let isBound = Lock(true)
        listen { [send, weak view] event in
            if view != nil, isBound.withLock({ $0 }) { send(event, Origin(file, line), nil) }
        }
        return SubscriptionToken(endsOnRelease: false) {
            isBound.withLock { $0 = false }
            subscription.cancel()
        }
    }
}
