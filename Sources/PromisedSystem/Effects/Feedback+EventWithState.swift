internal import Promise

// Work started by events, described with the state after the event.
extension Feedback {
    /// Starts work for each event with a payload, extracted with the state after the event, replacing the running work;
    /// an event without a payload cancels it.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event and the state after it; nil cancels the running work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func extracting<Payload: Sendable>(
        @PayloadBuilder<Payload> payloadWithState payload: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEventWithState(Origin(file, line)) { current, event, state in
            payload(event, state).map { payload in restart(current) { effects(payload).effect } }
                ?? .keep(Requests())
        }
    }

    /// Starts work for each event with a payload, extracted with the state after the event, and cancels the work of the
    /// previous one (switch to latest).
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event and the state after it; nil leaves the running work unchanged.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func withLatest<Payload: Sendable>(
        @PayloadBuilder<Payload> eventsWithState events: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEvent(withState: events, policy: .replace, effects: effects, file: file, line: line)
    }

    /// Starts work for each event with a payload, extracted with the state after the event, concurrently with the
    /// running work.
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
    ///   - events: Extracts the request from an event and the state after it; nil starts no work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func merging<Payload: Sendable>(
        @PayloadBuilder<Payload> eventsWithState events: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEvent(withState: events, policy: .concurrent, effects: effects, file: file, line: line)
    }

    /// Starts work for each event with a payload, extracted with the state after the event, under a key and a policy of
    /// your choice.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event and the state after it; nil starts no work.
    ///   - key: Identifies the work: the policy applies to work under one key, and ``Effect/cancel(_:)`` cancels it.
    ///     Without a key all work of this feedback shares one, which cannot be cancelled by name.
    ///   - policy: What happens when work under the same key is running.
    ///   - effects: Creates the work for a payload.
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
            } ?? .unchanged
        }
    }

    @inlinable
    static func onEventWithState(
        _ origin: Origin, _ answer: @escaping @Sendable (Requests, Event, State) -> FeedbackDecision<Event>
    ) -> Feedback {
        Feedback(origin, accepts: .events) {
            { current, input in
                guard case .event(let event, let state) = input else { return .unchanged }
                return answer(current, event, state.value)
            }
        }
    }
}
