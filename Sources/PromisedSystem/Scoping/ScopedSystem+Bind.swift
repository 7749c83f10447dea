internal import Promise

// A view that shows what there is, and sends what its user does.
extension ScopedSystem {
    /// Shows a view every state, loading ones included, and takes its events, as long as the view lives, which this does
    /// not hold: once it has gone, it is shown nothing, and what is still sent for it is dropped.
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
    ///   - view: Keeps the system through what it sends with; the system does not keep the view.
    ///   - show: Called with the present state, right here, and with every later one where the owner delivers; a method
    ///     of the main actor is called there.
    ///   - listen: Called once, right here, with the way to send events: from any thread, as long as the view lives.
    /// - Returns: The way to end both earlier; it need not be kept.
    @discardableResult
    public func bind<View: AnyObject & Sendable>(
        _ view: View, show: @escaping @Sendable (View) -> @isolated(any) @Sendable (State) -> Void,
        events listen: (_ send: @escaping @Sendable (Event) -> Void) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        let showing = shown.subscribe(view, Callback(view, show) { $0.state }, true)
        let isBound = Lock(true)
        listen { [send, weak view] event in
            if view != nil, isBound.withLock({ $0 }) { send(event, Origin(file, line)) }
        }
        return SubscriptionToken(endsOnRelease: false) {
            isBound.withLock { $0 = false }
            showing.cancel()
        }
    }
}
