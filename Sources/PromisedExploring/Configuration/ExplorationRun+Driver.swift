public import PromisedSystem

extension ExplorationRun {
    /// Access to the system that does not depend on its state and event types.
    @usableFromInline
    final class Driver {
        let events: Int
        /// Whether an event is sent in the shown state, by its index; nil if all are.
        let isSent: ((Int) -> Bool)?
        /// Sends the event at an index.
        let send: (Int) -> Void
        /// The property that the shown state violates, given that no call or timer is pending.
        let violationAtRest: () -> Violation?
        /// The bound that the shown state exceeds.
        let bound: () -> String?
        let stop: () -> Void
        /// A snapshot of the system, given the number of its settled state, if that is known; nil after its end.
        let snapshot: (Int?) -> LoopSnapshot?
        /// Whether the system is at rest and remembers only its state.
        let isResting: () -> Bool
        /// Brings the system to rest in the state with a number, unless it may remember more than that; nil where
        /// states are not known by their numbers.
        let restore: Restore?
        @usableFromInline typealias Restore = (isPossible: () -> Bool, to: (Int) -> Void)
        /// The handling of an event that is sent while a transition is running.
        @usableFromInline
        enum Admission: Sendable, Equatable {
            /// It is enqueued; with its number.
            case queue(Int)
            /// It replaces the transition or is dropped, whatever is enqueued.
            case pastQueue
            case other

            @inlinable
            init(_ policy: EventPolicy, _ event: Int) {
                switch policy {
                case .queue: self = .queue(event)
                case .replace, .dropWhileBusy: self = .pastQueue
                case .debounce, .throttle: self = .other
                }
            }
        }
        /// The admission of each event by its index; empty where none is known.
        let admissions: [Admission]

        @usableFromInline
        init(
            events: Int, admissions: [Admission], isSent: ((Int) -> Bool)? = nil,
            send: @escaping (Int) -> Void,
            violationAtRest: @escaping () -> Violation?, bound: @escaping () -> String?,
            restore: Restore? = nil, snapshot: @escaping (Int?) -> LoopSnapshot? = { _ in nil },
            isResting: @escaping () -> Bool = { false },
            stop: @escaping () -> Void
        ) {
            (self.events, self.admissions) = (events, admissions)
            (self.isSent, self.send) = (isSent, send)
            (self.violationAtRest, self.bound) = (violationAtRest, bound)
            (self.restore, self.snapshot, self.stop) = (restore, snapshot, stop)
            self.isResting = isResting
        }
    }
}

@available(*, unavailable)
extension ExplorationRun.Driver: Sendable {}
