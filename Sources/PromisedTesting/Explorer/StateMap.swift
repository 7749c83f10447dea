/// Why a state is shown behind another.
enum Cause: Hashable, Sendable {
    /// By its place among the events that are tried.
    case event(Int)
    /// A call by its name, and its outcome.
    case answer(String, String)
    case time

    /// - Parameter call: The one that the move answers, as it was before.
    init(of move: Move, _ call: WorldCall?) {
        switch (move, call) {
        case (.send(let index), _): self = .event(index)
        case (.answer(_, let choice), let call?): self = .answer(call.name, call.answers[choice].name())
        case (.answer, nil), (.tick, _): self = .time
        }
    }
}

/// Which states were shown behind which.
struct StateMap: Sendable {
    typealias Place = Account.Showing

    struct Edge: Hashable, Sendable {
        let from: Place
        /// nil where it follows at once from the edge before.
        let cause: Cause?
        let to: Place
    }

    private(set) var start: Place?
    private(set) var edges: [Edge] = []
    private var known: Set<Edge> = []
    /// What was seen before need not be named again.
    private var seen: Set<Seen> = []

    private struct Seen: Hashable {
        let from: Place
        let move: Move
        let call: String
        let answers: Int
        let shown: [Place]
    }

    init(start: Place?) { self.start = start }

    /// - Parameter call: The one that the move answers, as it was before.
    mutating func add(_ move: Move, _ call: WorldCall?, from before: Place, through shown: [Place]) {
        let seen = Seen(
            from: before, move: move, call: call?.name ?? "", answers: call?.answers.count ?? 0, shown: shown)
        guard self.seen.insert(seen).inserted else { return }
        var (from, cause): (Place, Cause?) = (before, Cause(of: move, call))
        for to in shown {
            let edge = Edge(from: from, cause: cause, to: to)
            if known.insert(edge).inserted { edges.append(edge) }
            (from, cause) = (to, nil)
        }
    }
}
