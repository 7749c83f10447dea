public import Promise

extension LoopMachine {
    /// A pending event, with its policy and its sender.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let event: Event
        @usableFromInline let policy: EventPolicy
        @usableFromInline let place: UInt64
        /// When the event was sent; nil without observers that need it.
        @usableFromInline let sentAt: Duration?
        /// How many events precede this one in its cascade: each was sent while the one before it was processed,
        /// without the loop becoming idle in between.
        @usableFromInline var cascadeDepth = 0
        @usableFromInline let sender: EventSender?

        @inlinable
        init(
            event: Event, policy: EventPolicy, origin: Origin, sentAt: Duration?, cascadeDepth: Int = 0,
            sender: EventSender? = nil
        ) {
            (self.event, self.policy, place, self.sentAt) = (event, policy, origin.place, sentAt)
            (self.cascadeDepth, self.sender) = (cascadeDepth, sender)
        }

        /// Where it was sent.
        @inlinable var origin: Origin { Origin(place: place) }
        @inlinable var isWithdrawn: Bool { sender?.isOver ?? false }
        /// What counts the event as pending, if anything does.
        @inlinable var run: EffectRun? {
            switch sender {
            case .effect(let run), .testKit(let run): run
            case .handle, nil: nil
            }
        }
        @inlinable var isOfEffect: Bool { if case .effect = sender { true } else { false } }
        /// Whether no later event is processed before it while it is delayed.
        @usableFromInline var isOrdered: Bool { policy.keepsOrder && !isOfEffect }
        /// The reason for dropping it when a later event of its key supersedes it.
        @usableFromInline var supersededReason: DropReason {
            if case .throttle = policy { .throttled } else { .debounced }
        }
    }
}

/// What a handle of a part shares with the events that it has sent.
@usableFromInline
final class PartHandle: Sendable {
    /// Whether the part is gone, so that the pending events of the handle are dropped.
    @usableFromInline let isOver: @Sendable () -> Bool

    init(isOver: @escaping @Sendable () -> Bool) { self.isOver = isOver }
}

/// A sender of events that are dropped if it is over before they are processed.
@usableFromInline
enum EventSender: Sendable {
    case effect(EffectRun)
    case handle(PartHandle)
    /// A test kit, which follows the event by the count of a run that is none of the system's.
    case testKit(EffectRun)

    @inlinable var isOver: Bool {
        switch self {
        case .effect(let run), .testKit(let run): run.isCancelled
        case .handle(let handle): handle.isOver()
        }
    }
}
