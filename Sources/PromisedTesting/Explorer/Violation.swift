/// That something was expected, and is not so.
@usableFromInline
struct Violation: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        /// A state breaks what was expected of it.
        case state(StateText, isAtRest: Bool)
        /// Nothing happens any more, and these have not had their turns; one may be in the middle of its.
        case stuck(running: Int?, waiting: [Int])
        /// Events have begotten each other without an end, until this one was cut off.
        case endless(Int)
        /// The system was built on another scheduler than the world's.
        case otherScheduler
        /// Nothing happens any more, and `async` work that was made here waits for something that is not in the world.
        case outside([String])
    }

    let property: String
    let kind: Kind

    @usableFromInline
    init(property: String, kind: Kind) { (self.property, self.kind) = (property, kind) }
}
