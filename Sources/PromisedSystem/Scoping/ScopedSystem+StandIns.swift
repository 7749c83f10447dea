internal import Promise

// For previews and tests.
extension ScopedSystem {
    /// One that always has this state, and does nothing with events: for previews and tests.
    public static func constant(_ state: State) -> ScopedSystem {
        let system = System<State, Event>(
            initialState: state, scheduler: .immediate, reducer: .identity,
            middleware: Middleware(before: { _, _ in .stop }))
        return system.scoped()
    }

    /// One that does with events what the closure says, right where they are sent: for previews and tests.
    ///
    /// - Parameters:
    ///   - state: The first state.
    ///   - reduce: Changes the state.
    public static func mock(
        _ state: State, _ reduce: @escaping @Sendable (inout State, Event) -> Void
    ) -> ScopedSystem {
        System<State, Event>(initialState: state, scheduler: .immediate, reducer: Reducer(reduce)).scoped()
    }
}
