// Ways over known steps.
extension StateGraph {
    /// A path to a node for which `isGoal` is true, found among the nearest `reach` nodes; nil if there is none.
    func way(from start: Int, within reach: Int, to isGoal: (Int) -> Bool) -> [Int]? {
        var seen: Set<Int> = [start]
        var found: [(node: Int, by: Int, before: Int)] = [(start, 0, -1)]
        var place = 0
        while place < found.count, found.count < reach {
            let here = found[place].node
            for choice in moves(of: here).indices {
                guard case .node(let next) = target(of: choice, from: here), seen.insert(next).inserted
                else { continue }
                found.append((next, choice, place))
                guard isGoal(next) else { continue }
                var way: [Int] = []
                var at = found.count - 1
                while at > 0 {
                    way.append(found[at].by)
                    at = found[at].before
                }
                return way.reversed()
            }
            place += 1
        }
        return nil
    }

    /// The shortest path to a violation; of several, the first in the order of the steps.
    func shortestViolation() -> [TakenStep]? {
        var seen: Set<Int> = [0]
        var found: [(node: Int, by: TakenStep?, before: Int)] = [(0, nil, -1)]
        var place = 0
        while place < found.count {
            let here = found[place].node
            for step in moves(of: here).indices.map({ TakenStep(node: here, choice: $0) }) {
                switch target(of: step) {
                case .unknown, .postponed: break
                case .violation:
                    var steps = [step]
                    var at = place
                    while let by = found[at].by {
                        steps.append(by)
                        at = found[at].before
                    }
                    return steps.reversed()
                case .node(let next):
                    if seen.insert(next).inserted { found.append((next, step, place)) }
                }
            }
            place += 1
        }
        return nil
    }
}
