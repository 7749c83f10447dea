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
    let work: Work
    let update: (@Sendable () -> Void)?

    enum Work: Sendable {
        case effect(@Sendable () -> Effect<Event>)
        /// Of a current request, as a feedback receives it.
        case planned(@Sendable (EffectRun) -> Void)
    }

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
        (self.work, update) = (.effect(work), nil)
    }

    /// - Parameter update: Called instead of restarting the work, if work of an earlier revision is running.
    public init(
        _ key: EffectKey, revision: EffectKey, update: @escaping @Sendable () -> Void,
        work: @escaping @Sendable () -> Effect<Event>
    ) {
        (self.key, self.revision, policy) = (key, revision, .replace)
        (self.work, self.update) = (.effect(work), update)
    }

    @usableFromInline
    init(_ plan: EffectPlan) {
        (key, revision, policy) = (plan.key, plan.revision, plan.policy)
        (work, update) = (.planned(plan.begin), plan.update)
    }

    /// This request, bound to a system.
    @usableFromInline
    func plan(_ context: EffectContext<Event>) -> EffectPlan {
        let begin: @Sendable (EffectRun) -> Void =
            switch work {
            case .effect(let effect): { run in context.begin(effect(), run) }
            case .planned(let begin): begin
            }
        return EffectPlan(key, revision: revision, policy: policy, update: update, begin: begin)
    }
}
