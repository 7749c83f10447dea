/// What a system shows: a settled state, or one that only stands in for the next.
public indirect enum Shown<State: Sendable>: Sendable {
    /// The current state: the last one that a transition settled on.
    case settled(State)
    /// An interim state of the transition that is running. It never becomes current.
    case loading(State)

    /// The state, whichever it is.
    public var state: State {
        switch self {
        case .settled(let state), .loading(let state): state
        }
    }

    /// Whether it stands in for a state to come.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension Shown: Equatable where State: Equatable {}

extension Shown {
    /// The same of a part of the state.
    @usableFromInline package func map<Part>(_ part: (State) -> Part) -> Shown<Part> {
        switch self {
        case .settled(let state): .settled(part(state))
        case .loading(let state): .loading(part(state))
        }
    }
}
