internal import Promise

// Work that an event sets off, described with the state that the event has led to.
extension Feedback {
    /// Starts work for the events that something can be extracted from, given the state; any other event cancels it.
    ///
    /// - Parameters:
    ///   - payload: What the work needs, of the event and the state that it has led to; nil cancels what is running.
    ///   - effects: Describes the work.
    @inlinable
    public static func extracting<Payload: Sendable>(
        @PayloadBuilder<Payload> payloadWithState payload: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEventWithState(Origin(file, line)) { current, event, state in
            payload(event, state).map { payload in anew(current) { effects(payload).effect } }
                ?? .keep(Requests())
        }
    }

    /// Starts work for every event that something can be extracted from, given the state, and cancels what was started
    /// before.
    ///
    /// - Parameters:
    ///   - events: What the work needs, of the event and the state that it has led to; nil leaves what is running alone.
    ///   - effects: Describes the work.
    @inlinable
    public static func withLatest<Payload: Sendable>(
        @PayloadBuilder<Payload> eventsWithState events: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEvent(withState: events, policy: .replace, effects: effects, file: file, line: line)
    }

    /// Starts work for every event that something can be extracted from, given the state, beside what is running.
    ///
    /// ```swift
    /// struct Cart { var items: [String] = [] }
    /// enum Event { case add(String), order, ordered(Int) }
    ///
    /// let ordering = Feedback<Cart, Event>.merging(
    ///     eventsWithState: { event, cart in if case .order = event { cart.items } else { nil } }
    /// ) { items in
    ///     Promise.value(items.count).map { .ordered($0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - events: What the work needs, of the event and the state that it has led to; nil for none.
    ///   - effects: Describes the work.
    @inlinable
    public static func merging<Payload: Sendable>(
        @PayloadBuilder<Payload> eventsWithState events: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEvent(withState: events, policy: .concurrent, effects: effects, file: file, line: line)
    }

    /// Starts work for every event that something can be extracted from, given the state, by a policy of your choice.
    ///
    /// - Parameters:
    ///   - payload: What the work needs, of the event and the state that it has led to; nil for none.
    ///   - key: What the work is known by: work under one key minds the policy, and ``Effect/cancel(_:)`` finds it.
    ///   - policy: What new work does to work under the same key that is running.
    ///   - effects: Describes the work.
    @inlinable
    public static func onEvent<Payload: Sendable>(
        @PayloadBuilder<Payload> withState payload: @escaping @Sendable (Event, State) -> Payload?,
        key: @escaping @Sendable (Payload) -> EffectKey = { _ in .unnamed },
        policy: EffectPolicy = .concurrent,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEventWithState(Origin(file, line)) { _, event, state in
            payload(event, state).map { payload in
                .start(EffectRequest(key(payload), policy: policy) { effects(payload).effect })
            } ?? .asBefore
        }
    }

    @inlinable
    static func onEventWithState(
        _ origin: Origin, _ answer: @escaping @Sendable (Requests, Event, State) -> FeedbackDecision<Event>
    ) -> Feedback {
        Feedback(origin, accepts: .events) {
            { current, input in
                guard case .event(let event, let state) = input else { return .asBefore }
                return answer(current, event, state.value)
            }
        }
    }
}
