internal import PromisedSystem

/// Why a state is shown behind another.
enum Cause: Hashable, Sendable {
    /// By its place among the events that are tried.
    case event(Int)
    /// A call by its name, and its outcome.
    case answer(String, String)
    case time
}

/// Which states were shown behind which.
struct StateMap<State: Sendable> {
    /// A state that is shown, by its number.
    struct Place: Hashable, Sendable {
        let state: Int
        let isLoading: Bool
    }

    struct Edge: Hashable, Sendable {
        let from: Place
        /// nil where it follows at once from the edge before.
        let cause: Cause?
        let to: Place
    }

    private let number: ((State) -> Int)?
    private(set) var start: Place?
    private(set) var edges: [Edge] = []
    private var known: Set<Edge> = []

    init<Event>(_ recognizer: Recognizer<State, Event>?) { number = recognizer?.numberOfState }

    mutating func begin(_ shown: Shown<State>) { start = place(shown) }

    mutating func add(_ cause: Cause, from before: Shown<State>, through shown: [Shown<State>]) {
        guard !shown.isEmpty, var from = place(before) else { return }
        var cause: Cause? = cause
        for shown in shown {
            guard let to = place(shown) else { continue }
            let edge = Edge(from: from, cause: cause, to: to)
            if known.insert(edge).inserted { edges.append(edge) }
            (from, cause) = (to, nil)
        }
    }

    private func place(_ shown: Shown<State>) -> Place? {
        number.map { Place(state: $0(shown.state), isLoading: shown.isLoading) }
    }
}
