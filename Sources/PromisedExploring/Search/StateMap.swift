/// Why one state was shown after another.
enum TransitionCause: Hashable, Sendable {
    /// An event, by its index among those that are explored.
    case event(Int)
    case answer(ChosenOutcome)
    /// An action of the world, by its index.
    case action(Int)
    case time

    /// An outcome of a call. Its name is evaluated only when a diagram is drawn.
    struct ChosenOutcome: Hashable, Sendable {
        let call: String
        /// Its index among the outcomes that the call had left, and their number.
        let choice: Int
        let left: Int
        let name: @Sendable () -> String

        static func == (one: ChosenOutcome, other: ChosenOutcome) -> Bool {
            (one.call, one.choice, one.left) == (other.call, other.choice, other.left)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(call)
            hasher.combine(choice)
        }
    }

    /// - Parameter call: The call that the move answers, as it was before.
    init(of move: Move, _ call: WorldCall?) {
        switch (move, call) {
        case (.send(let index), _): self = .event(index)
        case (.answer(_, let choice), let call?):
            self = .answer(
                ChosenOutcome(
                    call: call.name, choice: choice, left: call.count, name: call[choice].name))
        case (.act(let index), _): self = .action(index)
        case (.answer, nil), (.tick, _), (.between, _): self = .time
        }
    }
}

/// Which states were shown after which.
struct StateMap: Sendable {
    typealias Place = PathRecord.Showing

    struct Transition: Hashable, Sendable {
        let from: Place
        /// nil where the state follows from the edge before, without another step.
        let cause: TransitionCause?
        let to: Place
    }

    private(set) var start: Place?
    private(set) var edges: [Transition] = []
    /// By edge, the steps that have led over it.
    private(set) var steps: [[StateGraph.TakenStep]] = []
    private var known: [Transition: Int] = [:]

    init(start: Place?) { self.start = start }

    mutating func add(
        _ cause: TransitionCause, from before: Place, through shown: [Place], by step: StateGraph.TakenStep
    ) {
        var (from, cause): (Place, TransitionCause?) = (before, cause)
        for to in shown {
            let edge = Transition(from: from, cause: cause, to: to)
            if let place = known[edge] {
                steps[place].append(step)
            } else {
                known[edge] = edges.count
                edges.append(edge)
                steps.append([step])
            }
            (from, cause) = (to, nil)
        }
    }
}
