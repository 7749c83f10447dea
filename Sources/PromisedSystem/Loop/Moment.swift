/// One state that is shown, and why.
@usableFromInline
struct Moment<State: Sendable>: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        /// A transition has settled on it.
        case commit
        /// It stands in for the next one.
        case interim
        /// It is settled, and shown again because an interim state gave way to nothing.
        case withdrawal
    }

    @usableFromInline let state: State
    @usableFromInline let kind: Kind

    @inlinable
    init(_ state: State, _ kind: Kind) { (self.state, self.kind) = (state, kind) }

    @usableFromInline var shown: Shown<State> { kind == .interim ? .loading(state) : .settled(state) }
}
