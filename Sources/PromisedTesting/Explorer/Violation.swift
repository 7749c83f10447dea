/// That something was expected, and is not so.
@usableFromInline
struct Violation: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        /// A state breaks what was expected of it.
        case state(String, isAtRest: Bool)
        /// Nothing happens any more, and these have not had their turns; one may be in the middle of its.
        case stuck(running: Int?, waiting: [Int])
    }

    let property: String
    let kind: Kind

    @usableFromInline
    init(property: String, kind: Kind) { (self.property, self.kind) = (property, kind) }
}
