/// A violated property, and how it was violated.
@usableFromInline
struct Violation: Sendable {
    @usableFromInline
    enum Breach: Sendable {
        /// A state violates the property.
        case state(StateText, isAtRest: Bool)
        /// No call or timer is pending, but these events are unprocessed; the transition of one may be running.
        case stuck(running: Int?, waiting: [Int])
        /// A cascade of events exceeded its limit; this event was dropped.
        case endless(Int)
        /// The system does not run on the world's scheduler.
        case otherScheduler
        /// No call or timer is pending, but `async` work created at these places awaits something outside the world.
        case outside([String])
        /// Work reschedules itself at one instant, without an end.
        case restless
        /// A property with a memory is violated, for this reason.
        case reason(String)
    }

    let property: String
    let kind: Breach

    @usableFromInline
    init(property: String, kind: Breach) { (self.property, self.kind) = (property, kind) }
}
