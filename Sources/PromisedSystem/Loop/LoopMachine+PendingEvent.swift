public import Promise

extension LoopMachine {
    /// A pending event, with its policy and its sender.
    @usableFromInline
    struct PendingEvent: Sendable {
        @usableFromInline let event: Event
        @usableFromInline let policy: EventPolicy
        @usableFromInline let place: UInt64
        /// When the event was sent; nil without observers that need it.
        @usableFromInline let sentAt: Duration?
        /// How many events precede this one in its cascade: each was sent while the one before it was processed,
        /// without the loop becoming idle in between.
        @usableFromInline var cascadeDepth = 0
        /// The effect that sent the event, or another sender that may withdraw it.
        @usableFromInline let run: EffectRun?

        @inlinable
        init(
            event: Event, policy: EventPolicy, origin: Origin, sentAt: Duration?, cascadeDepth: Int = 0,
            run: EffectRun? = nil
        ) {
            (self.event, self.policy, place, self.sentAt) = (event, policy, origin.place, sentAt)
            (self.cascadeDepth, self.run) = (cascadeDepth, run)
        }

        /// Where it was sent.
        @inlinable var origin: Origin { Origin(place: place) }
        @inlinable var isWithdrawn: Bool { run?.isCancelled ?? false }
        @usableFromInline var isOfEffect: Bool { run?.isOfEffect ?? false }
        /// Whether no later event is processed before it while it is delayed.
        @usableFromInline var isOrdered: Bool { policy.keepsOrder && !isOfEffect }
        /// The reason for dropping it when a later event of its key supersedes it.
        @usableFromInline var supersededReason: DropReason {
            if case .throttle = policy { .throttled } else { .debounced }
        }
    }
}
