/// What a feedback wants to be running: work under a key.
///
/// As long as a request of the same key and revision is asked for, its work goes on. A new revision does what the
/// policy says, or what `update` does; a key that is not asked for any more is cancelled.
public struct EffectRequest<Event: Sendable>: Sendable {
    /// What the work is known by, within its feedback. Only ``Effect/cancel(_:)`` means it in others as well: give work
    /// of a part that is lifted more than once, other than to elements, a key that says which.
    public let key: EffectKey
    /// Which of several pieces of work under one key.
    public let revision: EffectKey
    /// What happens when a new revision comes while an old one runs. A revision that the policy turns away, as `drop`
    /// does, counts as served.
    public let policy: EffectPolicy
    @usableFromInline let work: @Sendable () -> Effect<Event>
    @usableFromInline let update: (@Sendable () -> Void)?
    /// Whether its work was given nothing but its key.
    @usableFromInline var isKnownByKey = false
    /// When it was asked for, by the count of a ``WorkProbe``.
    @usableFromInline var occasion = 0

    /// - Parameters:
    ///   - key: What the work is known by, within its feedback.
    ///   - revision: Another one asks for new work.
    ///   - policy: What happens to the old.
    ///   - work: Makes the effect; called when it is about to start.
    @inlinable
    public init(
        _ key: EffectKey, revision: EffectKey = 0, policy: EffectPolicy = .replace,
        work: @escaping @Sendable () -> Effect<Event>
    ) {
        self.init(key: key, revision: revision, policy: policy, work: work, update: nil)
    }

    /// - Parameter update: Called instead of anything else when work of an earlier revision is running.
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
