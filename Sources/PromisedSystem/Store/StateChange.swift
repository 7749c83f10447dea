public import Promise

/// A state that is shown, boxed, and the kind of the change.
@usableFromInline
struct StateChange<State: Sendable>: Sendable {
    @usableFromInline let box: ValueBox<State>
    @usableFromInline let kind: StateChangeKind

    @inlinable
    init(_ box: ValueBox<State>, _ kind: StateChangeKind) { (self.box, self.kind) = (box, kind) }

    /// The notification of this change, with the state copied out of the box once for all listeners.
    @inlinable var notification: StateNotification<State> { StateNotification(box.value, kind) }
}

/// What a listener receives: the shown state and the kind of the change.
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
    /// A transition settled on the state.
    case committed
    /// The running transition emitted the state as an interim one.
    case interim
    /// The settled state is shown again, because the transition that had shown an interim state ended without a new
    /// one.
    case reverted
}
