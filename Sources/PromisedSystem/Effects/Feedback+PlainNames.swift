internal import Promise

// Plain names of the forms that are used most. The published names stay beside them.
extension Feedback {
    /// Runs work for the latest value, while the state has one: a change of the value restarts the work, nil cancels
    /// it, an equal value leaves it alone.
    ///
    /// The plain name of ``lensingSkippingRepeated(state:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work for a value.
    public static func latest<Value: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        lensingSkippingRepeated(state: state, effects: effects, file: file, line: line)
    }

    /// Runs work while the state has a value, started with the first one: a change of the value does not restart it.
    ///
    /// The plain name of ``firstValueAfterNil(state:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil cancels the running work.
    ///   - effects: Creates the work, given the first value.
    public static func whilePresent<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        firstValueAfterNil(state: state, effects: effects, file: file, line: line)
    }

    /// Starts work for every value that the state has after an event, equal or not, and cancels none.
    ///
    /// The plain name of ``merging(state:effects:file:line:)``.
    ///
    /// - Parameters:
    ///   - state: Returns the value that the work is for; nil starts no work.
    ///   - effects: Creates the work for a value.
    public static func everyValue<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        merging(state: state, effects: effects, file: file, line: line)
    }

    /// Starts work once, when the system starts, and runs it for the lifetime of the system.
    ///
    /// The plain name of ``just(effects:file:line:)``.
    ///
    /// - Parameter work: The effect or promise that sends the events.
    public static func atStart(
        _ work: some EffectSource<Event>, file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        just(effects: work, file: file, line: line)
    }

    /// A feedback that starts no work: the neutral element, as `identity` is of reducers, middleware and features.
    public static var identity: Feedback { empty }
}
