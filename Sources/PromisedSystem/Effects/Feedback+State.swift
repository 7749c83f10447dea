internal import Promise

// Work that the state asks for. Each is a way to write `init(requests:)`, some with a memory.
extension Feedback {
    /// Runs work for as long as the state has a value for it, and starts it anew whenever the system is asked: after
    /// every event, whatever it was. Work that is still running then is cancelled, after its first event at the
    /// latest. ``lensingSkippingRepeated(state:effects:file:line:)`` leaves it alone while the value stays the same.
    ///
    /// - Parameters:
    ///   - state: The value that asks for work; nil cancels it.
    ///   - effects: Describes the work.
    @inlinable
    public static func lensing<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        onState(Origin(file, line)) { current, whole in
            state(whole).map { value in anew(current) { effects(value).effect } } ?? .keep(Requests())
        }
    }

    /// Runs work for as long as the state has a value for it, and anew for each value that differs from the one
    /// before.
    ///
    /// - Parameters:
    ///   - state: The value that asks for work; nil cancels it.
    ///   - effects: Describes the work.
    @inlinable
    public static func lensingSkippingRepeated<Value: Sendable & Equatable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        lensingSkippingRepeated(state: state, equals: ==, effects: effects, file: file, line: line)
    }

    /// Runs work for as long as the state has a value for it, and anew for each value that differs from the one
    /// before.
    ///
    /// - Parameters:
    ///   - state: The value that asks for work; nil cancels it.
    ///   - equals: Whether a value is the same as the one before, nil included: then nothing is started or cancelled.
    ///   - effects: Describes the work.
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
                guard case .state(let whole, _) = input else { return .asBefore }
                let value = state(whole.value)
                if let before = memory.exchange(for: value), equals(before, value) { return .asBefore }
                return value.map { value in anew(current) { effects(value).effect } } ?? .keep(Requests())
            }
        }
    }

    /// Runs work for the whole state, and anew when a part of it changes.
    ///
    /// - Parameters:
    ///   - state: The part that tells one piece of work from the next.
    ///   - effects: Describes the work, given the whole state.
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
                guard case .state(let whole, _) = input else { return .asBefore }
                let key = state(whole.value)
                if let before = memory.exchange(for: key), before == key { return .asBefore }
                return anew(current) { effects(whole.value).effect }
            }
        }
    }

    /// Starts work when the state comes to have a value for it, at the start included, and lets it run, whatever the
    /// value becomes, until there is none.
    ///
    /// - Parameters:
    ///   - state: The value that asks for work; nil cancels it.
    ///   - effects: Describes the work, given the first value.
    @inlinable
    public static func firstValueAfterNil<Value: Sendable>(
        state: @escaping @Sendable (State) -> Value?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Value) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        onState(Origin(file, line)) { current, whole in
            guard let value = state(whole) else { return .keep(Requests()) }
            return current.isEmpty ? anew(current) { effects(value).effect } : .asBefore
        }
    }

    /// Starts work when something comes to be true of the state, at the start included, and ends it when it is no
    /// more: for what goes on while a flag is set.
    ///
    /// - Parameters:
    ///   - state: Whether the work is wanted.
    ///   - effects: Describes the work, given the state in which it became so.
    @inlinable
    public static func whenBecomesTrue(
        state: @escaping @Sendable (State) -> Bool,
        @EffectBuilder<Event> effects: @escaping @Sendable (State) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        firstValueAfterNil(state: { state($0) ? $0 : nil }, effects: effects, file: file, line: line)
    }

    /// Starts work for every value that the state gives, and cancels what was started for the one before.
    ///
    /// - Parameters:
    ///   - state: The value that asks for work; nil leaves what is running alone.
    ///   - effects: Describes the work.
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
            } ?? .asBefore
        }
    }

    /// Starts work for every value that the state gives, beside what is running.
    ///
    /// - Parameters:
    ///   - state: The value that asks for work; nil for none.
    ///   - effects: Describes the work.
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
            } ?? .asBefore
        }
    }

    @inlinable
    static func onState(
        _ origin: Origin, _ answer: @escaping @Sendable (Requests, State) -> FeedbackDecision<Event>
    ) -> Feedback {
        Feedback(origin, accepts: .states) {
            { current, input in
                guard case .state(let state, _) = input else { return .asBefore }
                return answer(current, state.value)
            }
        }
    }

    /// The one request of a feedback that has one key, with a revision that the last one did not have.
    @inlinable
    static func anew(_ current: Requests, _ work: @escaping @Sendable () -> Effect<Event>)
        -> FeedbackDecision<
            Event
        >
    {
        let revision = EffectKey.count(current.first?.revision == .count(0) ? 1 : 0)
        return .keep(Requests(EffectRequest(.unnamed, revision: revision, work: work)))
    }
}

/// What a feedback remembers of the last input.
@usableFromInline
final class Memory<Value: Sendable>: Sendable {
    @usableFromInline let value = Lock<Value?>(nil)

    @inlinable
    init() {}

    /// - Returns: What was there before.
    @inlinable
    func exchange(for new: Value) -> Value? {
        value.withLock { value in
            defer { value = new }
            return value
        }
    }

    /// - Returns: What was there.
    @inlinable
    func forget() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
