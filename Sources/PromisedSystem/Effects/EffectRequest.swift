/// A request of a feedback to keep work running under a key.
///
/// The work continues as long as the feedback returns a request with the same key and revision. A new revision is
/// handled by the policy, or by `update`. When no request has the key any more, the work is cancelled.
public struct EffectRequest<Event: Sendable>: Sendable {
    /// Identifies the work within its feedback. Only ``Effect/cancel(_:)`` and ``Effect/broadcast(_:to:)`` use the key
    /// across feedbacks: if a feature is lifted more than once, other than to elements, include the instance in the
    /// key.
    public let key: EffectKey
    /// Distinguishes successive requests under one key; a different revision requests new work.
    public let revision: EffectKey
    /// What happens when a new revision is requested while older work runs. A revision that the policy discards, as
    /// `drop` does, counts as handled: it is not retried.
    public let policy: EffectPolicy
    private let work: @Sendable () -> Effect<Event>
    private let update: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - key: Identifies the work within its feedback.
    ///   - revision: Distinguishes successive requests under one key; a different revision requests new work.
    ///   - policy: What happens when older work under the key is still running.
    ///   - work: Creates the effect; called when it is about to start.
    public init(
        _ key: EffectKey, revision: EffectKey = 0, policy: EffectPolicy = .replace,
        work: @escaping @Sendable () -> Effect<Event>
    ) {
        (self.key, self.revision, self.policy) = (key, revision, policy)
        (self.work, update) = (work, nil)
    }

    /// - Parameters:
    ///   - key: Identifies the work; only one effect per key runs at a time.
    ///   - revision: Distinguishes successive requests under one key.
    ///   - update: Called instead of restarting the work, if work of an earlier revision is running.
    ///   - work: Creates the effect; called when it is about to start.
    public init(
        _ key: EffectKey, revision: EffectKey, update: @escaping @Sendable () -> Void,
        work: @escaping @Sendable () -> Effect<Event>
    ) {
        (self.key, self.revision, policy) = (key, revision, .replace)
        (self.work, self.update) = (work, update)
    }

    /// This request, bound to a system.
    @usableFromInline
    func plan(_ context: EffectContext<Event>) -> EffectPlan {
        EffectPlan(key, revision: revision, policy: policy, update: update) { [work] run in
            context.begin(work(), run)
        }
    }
}
