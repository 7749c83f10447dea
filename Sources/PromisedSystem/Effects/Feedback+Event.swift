internal import Promise

// Work started by events. Each function is one of the forms in Feedback+Forms.swift, some with a memory.
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
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        restarting(Origin(file, line), for: .events, { $0.event.flatMap(payload) }, effects)
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
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        restarting(
            Origin(file, line), for: .events, remembers: .ofLastEvent, { $0.event.flatMap(payload) },
            key: { $0 },
            skips: areSame, effects)
    }

    /// Starts work for each event with a payload, and cancels the work of the previous one (switch to latest).
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event; nil leaves the running work unchanged.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func withLatest<Payload: Sendable>(
        @PayloadBuilder<Payload> events: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .events, { $0.event.flatMap(events) }, { _ in .replace }, effects)
    }

    /// Starts work for each event with a payload, concurrently with the running work.
    ///
    /// - Parameters:
    ///   - events: Extracts the request from an event; nil starts no work.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func merging<Payload: Sendable>(
        @PayloadBuilder<Payload> events: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        starting(
            Origin(file, line), for: .events, { $0.event.flatMap(events) }, { _ in .concurrent }, effects)
    }

    /// Starts work for each event with a payload, under a key and a policy of your choice.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event; nil starts no work.
    ///   - key: Identifies the work, by a value of which an ``EffectKey`` is made: the policy applies to all work under
    ///     one key that events have started for the same part of the state, also by other feedbacks, and
    ///     ``Effect/cancel(_:)`` cancels it. Without a key all work of this feedback shares one, which cannot be
    ///     cancelled by name.
    ///   - policy: What happens when work under the same key is running.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func onEvent<Payload: Sendable>(
        @PayloadBuilder<Payload> _ payload: @escaping @Sendable (Event) -> Payload?,
        @EffectKeyBuilder key: @escaping @Sendable (Payload) -> EffectKey = { _ in return .unnamed },
        policy: EffectPolicy = .concurrent,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        starting(
            Origin(file, line), for: .events, { $0.event.flatMap(payload) }, key: key, { _ in policy },
            effects)
    }

    /// Starts work for each event with a payload, under a key and a policy that depend on the payload: a search
    /// replaces what runs under the key, while the next page is dropped.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event; nil starts no work.
    ///   - key: Identifies the work, as in the form with one policy.
    ///   - policy: What happens when work under the same key is running.
    ///   - effects: Creates the work for a payload.
    @inlinable
    public static func onEvent<Payload: Sendable>(
        @PayloadBuilder<Payload> _ payload: @escaping @Sendable (Event) -> Payload?,
        @EffectKeyBuilder key: @escaping @Sendable (Payload) -> EffectKey = { _ in return .unnamed },
        policy: @escaping @Sendable (Payload) -> EffectPolicy,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .events, { $0.event.flatMap(payload) }, key: key, policy, effects)
    }

    /// Starts work when the system starts, and twice for each event: first for the new state, then for the event. Each
    /// start cancels the work started before.
    ///
    /// - Parameter effects: Creates the work, given the state, and the event in the second case.
    @inlinable
    public init(
        @EffectBuilder<Event> effects: @escaping @Sendable (State, Event?) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self = .restarting(Origin(file, line), for: .all, { ($0.state, $0.event) }) { effects($0.0, $0.1) }
    }
}
