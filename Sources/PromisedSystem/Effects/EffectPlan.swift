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
    /// The cause of the work, as a number of a ``WorkProbe``; nil if the system is not explored, or if it is not
    /// known in detail.
    private(set) var occasion: Int?
    /// The registry number of the feedback that has requested the work, where its key is shared with other feedbacks;
    /// nil where the slot belongs to the feedback.
    var requester: Int?

    @usableFromInline
    init(
        _ key: EffectKey, revision: EffectKey = 0, policy: EffectPolicy = .replace,
        update: (@Sendable () -> Void)? = nil, occasion: Int? = nil,
        begin: @escaping @Sendable (EffectRun) -> Void
    ) {
        self.key = key
        self.revision = revision
        self.policy = policy
        self.update = update
        self.occasion = occasion
        self.begin = begin
    }

    /// A copy with the given occasion, if it has none.
    func requested(at occasion: Int) -> EffectPlan {
        var plan = self
        plan.occasion = plan.occasion ?? occasion
        return plan
    }
}
