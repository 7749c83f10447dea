public import Promise

/// One state that is shown, and why.
@usableFromInline
struct StateChange<State: Sendable>: Sendable {
    @usableFromInline let box: ValueBox<State>
    @usableFromInline let kind: StateChangeKind

    @inlinable
    init(_ box: ValueBox<State>, _ kind: StateChangeKind) { (self.box, self.kind) = (box, kind) }

    /// The same with the state at hand, copied out once for all listeners.
    @inlinable var notification: StateNotification<State> { StateNotification(box.value, kind) }
}

/// What a listener is notified of.
@usableFromInline
struct StateNotification<State: Sendable>: Sendable {
    @usableFromInline let state: State
    @usableFromInline let kind: StateChangeKind

    @inlinable
    init(_ state: State, _ kind: StateChangeKind) {
        self.state = state
        self.kind = kind
    }

    @usableFromInline var shown: Shown<State> { kind == .interim ? .loading(state) : .settled(state) }
}

@usableFromInline
enum StateChangeKind: Sendable {
    /// A transition has settled on it.
    case committed
    /// It stands in for the next one.
    case interim
    /// It is settled, and shown again because an interim state gave way to nothing.
    case reverted
}
