internal import Promise

// Replacements for previews and tests.
extension ScopedSystem {
    /// A replacement for previews and tests that always has this state and ignores all events.
    public static func constant(_ state: State) -> ScopedSystem {
        let system = System<State, Event>(
            initialState: state, scheduler: .immediate, reducer: .identity,
            middleware: Middleware(before: { _, _ in .stop }))
        return system.scoped()
    }

    /// A replacement for previews and tests that applies a closure to each event, synchronously in `sendEvent`.
    ///
    /// - Parameters:
    ///   - state: The initial state.
    ///   - reduce: Mutates the state for an event.
    public static func mock(
        _ state: State, _ reduce: @escaping @Sendable (inout State, Event) -> Void
    ) -> ScopedSystem {
        System<State, Event>(initialState: state, scheduler: .immediate, reducer: Reducer(reduce)).scoped()
    }
}
