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
        restarting(
            Origin(file, line), for: .events, { input in input.event.flatMap { payload($0, input.state) } },
            effects)
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
        starting(
            Origin(file, line), for: .events, { input in input.event.flatMap { events($0, input.state) } },
            { _ in .replace }, effects)
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
        starting(
            Origin(file, line), for: .events, { input in input.event.flatMap { events($0, input.state) } },
            { _ in .concurrent }, effects)
    }

    /// Starts work for each event with a payload, extracted with the state after the event, under a key and a policy of
    /// your choice.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event and the state after it; nil starts no work.
    ///   - key: Identifies the work, by a value of which an ``EffectKey`` is made: the policy applies to all work under
    ///     one key that events have started for the same part of the state, also by other feedbacks, and
    ///     ``Effect/cancel(_:)`` cancels it. Without a key all work of this feedback shares one, which cannot be
    ///     cancelled by name.
    ///   - policy: What happens when work under the same key is running.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func onEvent<Payload: Sendable>(
        @PayloadBuilder<Payload> withState payload: @escaping @Sendable (Event, State) -> Payload?,
        @EffectKeyBuilder key: @escaping @Sendable (Payload) -> EffectKey = { _ in return .unnamed },
        policy: EffectPolicy = .concurrent,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        starting(
            Origin(file, line), for: .events, { input in input.event.flatMap { payload($0, input.state) } },
            key: key, { _ in policy }, effects)
    }
}
