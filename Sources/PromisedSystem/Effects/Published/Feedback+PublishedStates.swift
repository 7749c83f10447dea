internal import Promise

// The names under which feedbacks of the state were published. Each is one of the forms in Feedback+Forms.swift.
extension Feedback {
    /// Runs work while the state has a value for it, and restarts it after every event, whether the value changed or
    /// not. Running work is thus cancelled by its own first event at the latest; ``latest(state:effects:file:line:)``
    /// keeps it running while the value stays equal.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func lensing<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { restarting(Origin(file, line), for: .states, { state($0.state) }, effects) }

    /// The published name of ``latest(state:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func lensingSkippingRepeated<Value: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { latest(state: state, effects: effects, file: file, line: line) }

    /// The published name of ``latest(state:equals:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - equals: Compares a value to the previous one, nil included.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func lensingSkippingRepeated<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        equals: @escaping @Sendable (Value?, Value?) -> Bool,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { latest(state: state, equals: equals, effects: effects, file: file, line: line) }

    /// Runs work for the whole state, and restarts it when a part of the state changes.
    ///
    /// - Parameters:
    ///   - state: Returns the part that is compared; work is restarted when it changes.
    ///   - effects: Creates the work, given the whole state.
    @inlinable
    public static func skippingRepeated<Key: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Key,
        @EffectBuilder<Event> effects: @escaping @Sendable (State) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        restarting(
            Origin(file, line), for: .states, { $0.state }, key: { $0.map(state) }, skips: areSame, effects)
    }

    /// The published name of ``whilePresent(state:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work, given the first value.
    @inlinable
    public static func firstValueAfterNil<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { whilePresent(state: state, effects: effects, file: file, line: line) }

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
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .states, { state($0.state) }, { _ in .replace }, effects)
    }

    /// The published name of ``everyValue(state:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil starts no work.
    ///   - effects: Creates the work for a value.
    @inlinable
    public static func merging<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { everyValue(state: state, effects: effects, file: file, line: line) }
}
