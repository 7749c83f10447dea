public import Promise

/// When an event was sent, and its number among those of the loop; 0 without a ``LoopProbe``, or before it is noted.
@usableFromInline
package struct SendMark: Sendable {
    @usableFromInline package let at: Duration
    // Not an `Int`: the mark fits where its time would be, even if optional.
    @usableFromInline package let number: UInt32

    @inlinable
    init(at: Duration, number: UInt32 = 0) { (self.at, self.number) = (at, number) }
}

extension LoopMachine {
    /// A pending event, with its policy and its sender.
    @usableFromInline
    package struct PendingEvent: Sendable {
        @usableFromInline package let event: Event
        @usableFromInline package let policy: EventPolicy
        @usableFromInline let place: UInt64
        /// Nil without observers that need it.
        @usableFromInline package internal(set) var sent: SendMark?
        /// How many events precede this one in its cascade: each was sent while the one before it was processed,
        /// without the loop becoming idle in between.
        @usableFromInline var cascadeDepth = 0
        /// The effect that sent the event, or another sender that may withdraw it.
        @usableFromInline let run: EffectRun?

        @inlinable
        init(
            event: Event, policy: EventPolicy, origin: Origin, cascadeDepth: Int = 0, run: EffectRun? = nil
        ) {
            (self.event, self.policy, place) = (event, policy, origin.place)
            (self.cascadeDepth, self.run) = (cascadeDepth, run)
        }

        /// Where it was sent.
        @inlinable package var origin: Origin { Origin(place: place) }
        /// Whether the probe has it.
        @inlinable var isNoted: Bool { sent?.number ?? 0 != 0 }
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
