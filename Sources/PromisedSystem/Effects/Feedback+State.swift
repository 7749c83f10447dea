internal import Promise

// Work derived from the state. Each function is one of the forms in Feedback+Forms.swift, some with a memory.
extension Feedback {
    /// Runs work while the state has a value for it, and restarts it after every event, whether the value changed or
    /// not. Running work is thus cancelled by its own first event at the latest.
    /// ``lensingSkippingRepeated(state:effects:file:line:)`` keeps it running while the value stays equal.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func lensing<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        restarting(Origin(file, line), for: .states, { state($0.state) }, effects)
    }

    /// Runs work while the state has a value for it, and restarts it when the value changes.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func lensingSkippingRepeated<Value: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        lensingSkippingRepeated(state: state, equals: areSame, effects: effects, file: file, line: line)
    }

    /// Runs work while the state has a value for it, and restarts it when the value changes.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - equals: Compares a value to the previous one, nil included; if they are equal, nothing is started or
    ///     cancelled.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func lensingSkippingRepeated<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        equals: @escaping @Sendable (Value?, Value?) -> Bool,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        restarting(Origin(file, line), for: .states, { state($0.state) }, key: { $0 }, skips: equals, effects)
    }

    /// Runs work for the whole state, and restarts it when a part of the state changes.
    ///
    /// - Parameters:
    ///   - state: Returns the part that is compared; work is restarted when it changes.
    ///   - effects: Creates the work, given the whole state.
    @inlinable
    public static func skippingRepeated<Key: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Key,
        @EffectBuilder<Event> effects: @escaping @Sendable (State) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        restarting(
            Origin(file, line), for: .states, { $0.state }, key: { $0.map(state) }, skips: areSame, effects)
    }

    /// Starts work when the state changes from having no value to having one, or has one at the start. The work
    /// continues, even if the value changes, until the value is nil.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work, given the first value.
    @inlinable
    public static func firstValueAfterNil<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
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
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        firstValueAfterNil(state: { state($0) ? $0 : nil }, effects: effects, file: file, line: line)
    }

    /// Starts work for each state that has a value, and cancels the work of the previous one (switch to latest). Every
    /// event counts, even if the value stays equal.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil leaves the running work unchanged.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func withLatest<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .states, { state($0.state) }, { _ in .replace }, effects)
    }

    /// Starts work for each state that has a value, concurrently with the running work. Every event counts, even if the
    /// value stays equal.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil starts no work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func merging<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .states, { state($0.state) }, { _ in .concurrent }, effects)
    }
}
