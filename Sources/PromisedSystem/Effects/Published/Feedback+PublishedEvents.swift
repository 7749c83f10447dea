internal import Promise

// The names under which feedbacks of events were published. Each is one of the forms in Feedback+Forms.swift.
extension Feedback {
    /// Starts work for each event with a payload, replacing the running work; an event without a payload cancels it.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event; nil cancels the running work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func extracting<Payload: Sendable>(
        @PayloadBuilder<Payload> payload: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { restarting(Origin(file, line), for: .events, { $0.event.flatMap(payload) }, effects) }

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

    /// Starts work for each event with a payload that differs from that of the previous event, replacing the running
    /// work; an event without a payload cancels it.
    ///
    /// Equal payloads in a row start the work once, so a retry with the same payload is ignored. Use
    /// ``extracting(payload:effects:file:line:)`` if it must not be.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event; nil cancels the running work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func extractingSkippingRepeated<Payload: Sendable & Equatable>(
        @PayloadBuilder<Payload> payload: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        restarting(
            Origin(file, line), for: .events, remembers: .ofLastEvent, { $0.event.flatMap(payload) },
            key: { $0 }, skips: areSame, effects)
    }

    /// `onEvent(_:key:policy:effects:)` with the policy ``EffectPolicy/replace`` (switch to latest).
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event; nil leaves the running work unchanged.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func withLatest<Payload: Sendable>(
        @PayloadBuilder<Payload> events: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { onEvent(events, policy: .replace, effects: effects, file: file, line: line) }

    /// ``onEvent(withState:key:policy:effects:file:line:)`` with the policy ``EffectPolicy/replace`` (switch to latest).
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event and the state after it; nil leaves the running work unchanged.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func withLatest<Payload: Sendable>(
        @PayloadBuilder<Payload> eventsWithState events: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { onEvent(withState: events, policy: .replace, effects: effects, file: file, line: line) }

    /// `onEvent(_:key:policy:effects:)` with the policy ``EffectPolicy/concurrent``.
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event; nil starts no work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func merging<Payload: Sendable>(
        @PayloadBuilder<Payload> events: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { onEvent(events, effects: effects, file: file, line: line) }

    /// ``onEvent(withState:key:policy:effects:file:line:)`` with the policy ``EffectPolicy/concurrent``.
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event and the state after it; nil starts no work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func merging<Payload: Sendable>(
        @PayloadBuilder<Payload> eventsWithState events: @escaping @Sendable (Event, State) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { onEvent(withState: events, effects: effects, file: file, line: line) }

    /// Starts work when the system starts, and twice for each event: first for the new state, then for the event. Each
    /// start cancels the work started before.
    ///
    /// - Parameter effects: Creates the work, given the state, and the event in the second case.
    @inlinable
    public init(
        @EffectBuilder<Event> effects: @escaping @Sendable (State, Event?) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self = .restarting(Origin(file, line), for: .all, { ($0.state, $0.event) }) { effects($0.0, $0.1) }
    }
}
