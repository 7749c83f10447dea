internal import Promise

// Work started by events. Each function is one of the forms in Feedback+Forms.swift.
extension Feedback {
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
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        onEvent(payload, key: key, policy: { _ in policy }, effects: effects, file: file, line: line)
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
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        starting(Origin(file, line), for: .events, { $0.event.flatMap(payload) }, key: key, policy, effects)
    }

    /// Starts work for each event with a payload, extracted with the state after the event, under a key and a policy of
    /// your choice.
    ///
    /// - Parameters:
    ///   - payload: Extracts the request from an event and the state after it; nil starts no work.
    ///   - key: Identifies the work, as in the form without the state.
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
