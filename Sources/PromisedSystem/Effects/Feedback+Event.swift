internal import Promise

// Work that an event sets off. Each is a way to write `init(eventRequests:)`, some with a memory.
extension Feedback {
    /// Starts work for the events that something can be extracted from; any other event cancels it.
    ///
    /// - Parameters:
    ///   - payload: What the work needs; nil cancels what is running.
    ///   - effects: Describes the work.
    @inlinable
    public static func extracting<Payload: Sendable>(
        @PayloadBuilder<Payload> payload: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        onEvent(Origin(file, line)) { current, event in
            payload(event).map { payload in anew(current) { effects(payload).effect } } ?? .keep(Requests())
        }
    }

    /// Starts work for the events that something can be extracted from, unless it equals what the last event gave;
    /// an event that gives nothing cancels it.
    ///
    /// Two equal payloads in a row start the work once, so a second try with the same payload is not seen. Use
    /// ``extracting(payload:effects:file:line:)`` for that.
    ///
    /// - Parameters:
    ///   - payload: What the work needs; nil cancels what is running.
    ///   - effects: Describes the work.
    @inlinable
    public static func extractingSkippingRepeated<Payload: Sendable & Equatable>(
        @PayloadBuilder<Payload> payload: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .events, remembers: .ofLastEvent) {
            let memory = Memory<Payload?>()
            return { current, input in
                guard case .event(let event, _) = input else { return .asBefore }
                let payload = payload(event)
                if let before = memory.exchange(for: payload), before == payload { return .asBefore }
                return payload.map { payload in anew(current) { effects(payload).effect } }
                    ?? .keep(Requests())
            }
        }
    }

    /// Starts work for every event that something can be extracted from, and cancels what was started before.
    ///
    /// - Parameters:
    ///   - events: What the work needs; nil leaves what is running alone.
    ///   - effects: Describes the work.
    @inlinable
    public static func withLatest<Payload: Sendable>(
        @PayloadBuilder<Payload> events: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        onEvent(events, policy: .replace, effects: effects, file: file, line: line)
    }

    /// Starts work for every event that something can be extracted from, beside what is running.
    ///
    /// - Parameters:
    ///   - events: What the work needs; nil for none.
    ///   - effects: Describes the work.
    @inlinable
    public static func merging<Payload: Sendable>(
        @PayloadBuilder<Payload> events: @escaping @Sendable (Event) -> Payload?,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        onEvent(events, policy: .concurrent, effects: effects, file: file, line: line)
    }

    /// Starts work for every event that something can be extracted from, by a policy of your choice.
    ///
    /// - Parameters:
    ///   - payload: What the work needs; nil for none.
    ///   - key: What the work is known by: work under one key minds the policy, and ``Effect/cancel(_:)`` finds it.
    ///   - policy: What new work does to work under the same key that is running.
    ///   - effects: Describes the work.
    @inlinable
    public static func onEvent<Payload: Sendable>(
        @PayloadBuilder<Payload> _ payload: @escaping @Sendable (Event) -> Payload?,
        key: @escaping @Sendable (Payload) -> EffectKey = { _ in .unnamed },
        policy: EffectPolicy = .concurrent,
        @EffectBuilder<Event> effects: @escaping @Sendable (Payload) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        onEvent(Origin(file, line)) { _, event in
            payload(event).map { payload in
                .start(EffectRequest(key(payload), policy: policy) { effects(payload).effect })
            } ?? .asBefore
        }
    }

    @inlinable
    static func onEvent(
        _ origin: Origin, _ answer: @escaping @Sendable (Requests, Event) -> FeedbackDecision<Event>
    ) -> Feedback {
        Feedback(origin, accepts: .events) {
            { current, input in
                guard case .event(let event, _) = input else { return .asBefore }
                return answer(current, event)
            }
        }
    }

    /// Starts work at the start, after every event for the state, and for the event itself, each time cancelling what
    /// was started before.
    ///
    /// - Parameter effects: Describes the work, given the state, and the event in the second case.
    @inlinable
    public init(
        @EffectBuilder<Event> effects: @escaping @Sendable (State, Event?) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .all) {
            { current, input in
                switch input {
                case .state(let state, _): Self.anew(current) { effects(state.value, nil).effect }
                case .event(let event, let state): Self.anew(current) { effects(state.value, event).effect }
                }
            }
        }
    }
}
