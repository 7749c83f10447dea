public import Promise

/// One state that is shown, and why.
@usableFromInline
struct Moment<State: Sendable>: Sendable {
    @usableFromInline let box: ValueBox<State>
    @usableFromInline let kind: MomentKind

    @inlinable
    init(_ box: ValueBox<State>, _ kind: MomentKind) { (self.box, self.kind) = (box, kind) }

    /// The same with the state at hand, copied out once for all listeners.
    @inlinable var notice: Notice<State> { Notice(box.value, kind) }
}

/// What a listener is notified of.
@usableFromInline
struct Notice<State: Sendable>: Sendable {
    @usableFromInline let state: State
    @usableFromInline let kind: MomentKind

    @inlinable
    init(_ state: State, _ kind: MomentKind) {
        self.state = state
        self.kind = kind
    }

    @usableFromInline var shown: Shown<State> { kind == .interim ? .loading(state) : .settled(state) }
}

@usableFromInline
enum MomentKind: Sendable {
    /// A transition has settled on it.
    case commit
    /// It stands in for the next one.
    case interim
    /// It is settled, and shown again because an interim state gave way to nothing.
    case withdrawal
}
