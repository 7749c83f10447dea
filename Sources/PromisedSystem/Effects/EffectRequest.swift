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
    @usableFromInline let work: @Sendable () -> Effect<Event>
    @usableFromInline let update: (@Sendable () -> Void)?
    /// Whether the work depends on nothing but its key.
    @usableFromInline var isKnownByKey = false
    /// When the work was requested, by the count of a ``WorkProbe``.
    @usableFromInline var occasion = 0

    /// - Parameters:
    ///   - key: Identifies the work within its feedback.
    ///   - revision: Distinguishes successive requests under one key; a different revision requests new work.
    ///   - policy: What happens when older work under the key is still running.
    ///   - work: Creates the effect; called when it is about to start.
    @inlinable
    public init(
        _ key: EffectKey, revision: EffectKey = 0, policy: EffectPolicy = .replace,
        work: @escaping @Sendable () -> Effect<Event>
    ) {
        self.init(key: key, revision: revision, policy: policy, work: work, update: nil)
    }

    /// - Parameter update: Called instead of restarting the work, if work of an earlier revision is running.
    @inlinable
    public init(
        _ key: EffectKey, revision: EffectKey, update: @escaping @Sendable () -> Void,
        work: @escaping @Sendable () -> Effect<Event>
    ) {
        self.init(key: key, revision: revision, policy: .replace, work: work, update: update)
    }

    @inlinable
    init(
        key: EffectKey, revision: EffectKey, policy: EffectPolicy,
        work: @escaping @Sendable () -> Effect<Event>, update: (@Sendable () -> Void)?,
        isKnownByKey: Bool = false
    ) {
        self.key = key
        self.revision = revision
        self.policy = policy
        self.work = work
        self.update = update
        self.isKnownByKey = isKnownByKey
    }
}
