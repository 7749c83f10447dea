/// A request as the registry keeps it: bound to the system that the events go to, so that its type does not depend on
/// them. Everything that starts, queues and cancels work is therefore compiled once, not for each type of event.
@usableFromInline
struct EffectPlan: Sendable {
    let key: EffectKey
    let revision: EffectKey
    let policy: EffectPolicy
    /// Starts the work as the given run.
    let begin: @Sendable (EffectRun) -> Void
    let update: (@Sendable () -> Void)?
    /// Whether the work depends on nothing but its key.
    let isKnownByKey: Bool
    /// When the work was requested, by the count of a ``WorkProbe``.
    var occasion = 0

    @usableFromInline
    init(
        _ key: EffectKey, revision: EffectKey = 0, policy: EffectPolicy = .replace,
        update: (@Sendable () -> Void)? = nil, isKnownByKey: Bool = false,
        begin: @escaping @Sendable (EffectRun) -> Void
    ) {
        self.key = key
        self.revision = revision
        self.policy = policy
        self.update = update
        self.isKnownByKey = isKnownByKey
        self.begin = begin
    }

    /// A copy with the given occasion.
    func requested(at occasion: Int) -> EffectPlan {
        var plan = self
        plan.occasion = occasion
        return plan
    }
}
