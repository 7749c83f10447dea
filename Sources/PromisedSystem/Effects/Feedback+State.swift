internal import Promise

// Work derived from the state. Each function is a special case of `init(requests:)`, some with a memory.
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
        onState(Origin(file, line)) { current, whole in
            state(whole).map { value in restart(current) { effects(value).effect } } ?? .keep(Requests())
        }
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
        lensingSkippingRepeated(state: state, equals: ==, effects: effects, file: file, line: line)
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
        Feedback(Origin(file, line), accepts: .states, skipsRepeated: true) {
            let memory = Memory<Value?>()
            return { current, input in
                guard case .state(let whole, _) = input else { return .unchanged }
                let value = state(whole.value)
                if let before = memory.exchange(for: value), equals(before, value) { return .unchanged }
                return value.map { value in restart(current) { effects(value).effect } } ?? .keep(Requests())
            }
        }
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
        Feedback(Origin(file, line), accepts: .states, skipsRepeated: true) {
            let memory = Memory<Key>()
            return { current, input in
                guard case .state(let whole, _) = input else { return .unchanged }
                let key = state(whole.value)
                if let before = memory.exchange(for: key), before == key { return .unchanged }
                return restart(current) { effects(whole.value).effect }
            }
        }
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
        onState(Origin(file, line)) { current, whole in
            guard let value = state(whole) else { return .keep(Requests()) }
            return current.isEmpty ? restart(current) { effects(value).effect } : .unchanged
        }
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
        onState(Origin(file, line)) { current, whole in
            state(whole).map { value in
                .start(EffectRequest(.unnamed, policy: .replace) { effects(value).effect })
            } ?? .unchanged
        }
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
        onState(Origin(file, line)) { current, whole in
            state(whole).map { value in
                .start(EffectRequest(.unnamed, policy: .concurrent) { effects(value).effect })
            } ?? .unchanged
        }
    }

    @inlinable
    static func onState(
        _ origin: Origin, _ answer: @escaping @Sendable (Requests, State) -> FeedbackDecision<Event>
    ) -> Feedback {
        Feedback(origin, accepts: .states) {
            { current, input in
                guard case .state(let state, _) = input else { return .unchanged }
                return answer(current, state.value)
            }
        }
    }

    /// The only request of a feedback with one key, with a revision that differs from the current one, so that the work
    /// restarts.
    @inlinable
    static func restart(_ current: Requests, _ work: @escaping @Sendable () -> Effect<Event>)
        -> FeedbackDecision<
            Event
        >
    {
        let revision = EffectKey.count(current.first?.revision == .count(0) ? 1 : 0)
        return .keep(Requests(EffectRequest(.unnamed, revision: revision, work: work)))
    }
}

/// A value that a feedback keeps from one input to the next.
@usableFromInline
final class Memory<Value: Sendable>: Sendable {
    @usableFromInline let value = Lock<Value?>(nil)

    @inlinable
    init() {}

    /// - Returns: The previous value; nil if there was none.
    @inlinable
    func exchange(for new: Value) -> Value? {
        value.withLock { value in
            defer { value = new }
            return value
        }
    }

    /// - Returns: The removed value; nil if there was none.
    @inlinable
    func forget() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
