internal import Promise

// All feedbacks with a payload are special cases of these three. The cases differ in the closure that extracts the
// payload from an input.
extension Feedback {
    /// Starts work for each payload, in addition to the running work and subject to a policy.
    @inlinable
    static func starting<Payload: Sendable>(
        _ origin: Origin, for inputs: FeedbackInputs, _ payload: @escaping @Sendable (Input) -> Payload?,
        key: @escaping @Sendable (Payload) -> EffectKey = { _ in .unnamed },
        _ policy: @escaping @Sendable (Payload) -> EffectPolicy,
        _ effects: @escaping @Sendable (Payload) -> some EffectSource<Event>
    ) -> Feedback {
        Feedback(origin, accepts: inputs) { context in
            { input in
                guard let payload = payload(input) else { return .unchanged }
                return .start(
                    EffectPlan(key(payload), policy: policy(payload), occasion: context.occasion(of: payload))
                    {
                        context.begin(effects(payload), $0)
                    })
            }
        }
    }

    /// Restarts work for each payload; an input without one cancels it.
    @inlinable
    static func restarting<Payload: Sendable>(
        _ origin: Origin, for inputs: FeedbackInputs, _ payload: @escaping @Sendable (Input) -> Payload?,
        _ effects: @escaping @Sendable (Payload) -> some EffectSource<Event>
    ) -> Feedback {
        Feedback(origin, accepts: inputs) { context in
            { input in
                guard let payload = payload(input) else { return .keep(Requests()) }
                return .restart(context.occasion(of: payload)) { context.begin(effects(payload), $0) }
            }
        }
    }

    /// Restarts work for each payload, unless its key repeats the previous one; an input without a payload cancels it.
    @inlinable
    static func restarting<Payload: Sendable, Key: Sendable>(
        _ origin: Origin, for inputs: FeedbackInputs, remembers memory: FeedbackMemory = .ofStates,
        _ payload: @escaping @Sendable (Input) -> Payload?, key: @escaping @Sendable (Payload?) -> Key,
        skips isRepeated: @escaping @Sendable (Key, Key) -> Bool,
        _ effects: @escaping @Sendable (Payload) -> some EffectSource<Event>
    ) -> Feedback {
        Feedback(origin, accepts: inputs, remembers: memory, skipsRepeated: true) { context in
            let last = Memory<Key>()
            return { input in
                let payload = payload(input)
                let key = key(payload)
                if let before = last.exchange(for: key), isRepeated(before, key) {
                    return payload == nil ? .unchanged : .repeated
                }
                guard let payload else { return .keep(Requests()) }
                return .restart(context.occasion(of: payload)) { context.begin(effects(payload), $0) }
            }
        }
    }
}

extension FeedbackDecision {
    /// Keeps only this work running, and restarts it.
    @usableFromInline
    static func restart(
        _ occasion: Int?, _ begin: @escaping @Sendable (EffectRun) -> Void
    ) -> FeedbackDecision {
        .keep(SmallArray(EffectPlan(.unnamed, revision: .restart, occasion: occasion, begin: begin)))
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

    /// The value; nil if there is none.
    @inlinable var latest: Value? { value.withLock { $0 } }

    /// - Returns: The removed value; nil if there was none.
    @inlinable
    func forget() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
