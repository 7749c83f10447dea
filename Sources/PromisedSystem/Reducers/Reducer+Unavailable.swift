// What does not exist and is often written: the compiler answers with a sentence instead of a puzzle.
extension Reducer {
    /// Unavailable: a reducer returns no effect. A feedback starts the work.
    @available(
        *, unavailable,
        message: "a reducer returns no effect; change the state in place, and start the work with a feedback"
    )
    @_disfavoredOverload
    public init(_ reduce: @escaping @Sendable (inout State, Event) -> Effect<Event>) { self = .identity }
}
