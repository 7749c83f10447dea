// Events that need not be enqueued while a transition is running, because it leads to the same if they are sent later.
//
// Let a path enqueue events and then do something else that is quiet: it does the same with events at the end of the
// queue. Then that can come first. If it leaves a transition running, the events are enqueued behind that. If it does
// not, the events are processed one after the other, the first with the others behind it: as if each was sent when the
// one before is over, provided that this is quiet too.
extension Search {
    /// Decides whether events are enqueued while a transition is running. As long as it is not known what else can
    /// happen, nothing is decided.
    ///
    /// - Returns: Whether nothing more has to be inferred for now.
    mutating func postpones(_ node: Int) -> Bool {
        let others = otherSteps(of: node)
        if others.contains(where: { graph.target(of: $0, from: node) == .unknown }) { return true }
        guard others.allSatisfy({ graph.isQuiet($0, from: node) }), !isFollowedByRestlessness(node) else {
            return false
        }
        for choice in graph.moves(of: node).indices
        where enqueued(by: choice, from: node) != nil && graph.target(of: choice, from: node) == .unknown {
            graph.note(.postponed, of: choice, from: node)
        }
        return true
    }

    /// Reverts decisions that were made before it was known that events are not processed alone.
    ///
    /// - Returns: Whether there were any.
    mutating func reopens() -> Bool {
        guard graph.isPostponed else { return false }
        noteRestlessness()
        var isAny = false
        for node in 0..<graph.count where graph.isPostponed(node) && isFollowedByRestlessness(node) {
            graph.reopen(node)
            isAny = true
        }
        return isAny
    }

    /// Whether another step ends the transition, and leads to where an event is not processed alone. Near the limit no
    /// further event is behind that one.
    private func isFollowedByRestlessness(_ node: Int) -> Bool {
        graph.distance(of: node) + 2 < graph.limit
            && otherSteps(of: node).contains { choice in
                guard case .node(let next) = graph.target(of: choice, from: node) else { return false }
                return !graph.isBusy(next) && isRestless(next)
            }
    }

    private func isRestless(_ node: Int) -> Bool {
        restless.indices.contains(node) && restless[node]
            || graph.moves(of: node).indices.contains { choice in
                guard enqueued(by: choice, from: node) != nil,
                    case .node(let next) = graph.target(of: choice, from: node)
                else { return false }
                return !graph.isQuiet(choice, from: node)
                    || !graph.isBusy(next) && restless.indices.contains(next) && restless[next]
            }
    }

    /// Notes the configurations in which no transition is running, and from which events that are processed at once
    /// lead to one that is not processed alone.
    private mutating func noteRestlessness() {
        restless = Array(repeating: false, count: graph.count)
        var isChanged = true
        while isChanged {
            isChanged = false
            for node in restless.indices.reversed()
            where !restless[node] && !graph.isBusy(node) && isRestless(node) {
                (restless[node], isChanged) = (true, true)
            }
        }
    }
}
