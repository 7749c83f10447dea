/// A state that a system shows: a settled one, or a loading one while a transition is in flight.
public indirect enum Shown<State: Sendable>: Sendable {
    /// The current state: the initial one, or the last one that a transition settled on.
    case settled(State)
    /// An interim state of the running transition. It is shown only; the reducer is never called with it.
    case loading(State)

    /// The shown state, settled or loading.
    public var state: State {
        switch self {
        case .settled(let state), .loading(let state): state
        }
    }

    /// Whether this is an interim state of a transition in flight.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension Shown: Equatable where State: Equatable {}

extension Shown {
    /// The same case with a part of the state.
    @usableFromInline package func map<Part>(_ part: (State) -> Part) -> Shown<Part> {
        switch self {
        case .settled(let state): .settled(part(state))
        case .loading(let state): .loading(part(state))
        }
    }
}
