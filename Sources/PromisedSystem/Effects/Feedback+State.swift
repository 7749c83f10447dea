internal import Promise

// Work derived from the state. Each function is one of the forms in Feedback+Forms.swift.
extension Feedback {
    /// Runs work for the latest value, while the state has one: a change of the value restarts the work, nil cancels
    /// it, an equal value leaves it alone.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func latest<Value: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { latest(state: state, equals: areSame, effects: effects, file: file, line: line) }

    /// Runs work for the latest value, with a comparison of your own.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - equals: Compares a value to the previous one, nil included; if they are equal, nothing is started or
    ///     cancelled. Called on the system's scheduler.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func latest<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        equals: @escaping @Sendable (Value?, Value?) -> Bool,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        restarting(Origin(file, line), for: .states, { state($0.state) }, key: { $0 }, skips: equals, effects)
    }

    /// Runs work while the state has a value, started with the first one, also with that of the initial state. A change
    /// of the value does not restart it.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work, given the first value.
    @inlinable
    public static func whilePresent<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        restarting(
            Origin(file, line), for: .states, { state($0.state) }, key: { $0 != nil }, skips: { $0 && $1 },
            effects)
    }

    /// Starts work when a condition becomes true, or is true at the start, and cancels it when the condition becomes
    /// false.
    ///
    /// - Parameters:
    ///   - state: The condition: whether the work should be running.
    ///   - effects: Creates the work, given the state in which the condition became true.
    @inlinable
    public static func whenBecomesTrue(
        state: @escaping @Sendable (State) -> Bool,
        @EffectBuilder<Event> effects: @escaping @Sendable (State) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        whilePresent(state: { state($0) ? $0 : nil }, effects: effects, file: file, line: line)
    }

    /// Starts work for every value that the state has after an event, equal or not, and cancels none.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil starts no work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func everyValue<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .states, { state($0.state) }, { _ in .concurrent }, effects)
    }
}
