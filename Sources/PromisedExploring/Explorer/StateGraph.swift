/// The known configurations as nodes, and the steps between them as edges.
struct StateGraph {
    /// What is known about the target of a step.
    enum Target: Hashable {
        case unknown
        /// The same target as another step, which is still to be executed.
        case awaited
        case moment(Int)
        /// The step violates a property.
        case violation
    }

    struct Node {
        let moves: [Move]
        var targets: [Target]
        /// For each step, whether it did not depend on what is behind the end of the queue.
        var leavesQueueEnd: [Bool]
        /// The index of the first step whose target is unknown.
        var next = 0
        /// The length of the shortest known path from the start, and the last step of that path.
        var distance: Int
        var parent: (moment: Int, choice: Int)?
        /// The node without the last event of the queue, and the step that enqueues that event from there.
        var tail: (moment: Int, choice: Int)?
    }

    /// A step, by its node and its index among the steps possible there.
    struct Step: Hashable {
        let moment: Int
        let choice: Int
    }

    private(set) var all: [Node] = []
    /// Steps whose target equals that of another step, by that other step.
    private var awaiting: [Step: [Step]] = [:]
    /// Nodes with unknown targets, by distance. May contain stale entries: nodes that were completed since, or whose
    /// distance has shrunk.
    private var waiting: [[Int]] = []
    /// Nodes at this distance are not expanded.
    private(set) var limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ moves: [Move], distance: Int, parent: (moment: Int, choice: Int)?) -> Int {
        all.append(
            Node(
                moves: moves, targets: Array(repeating: .unknown, count: moves.count),
                leavesQueueEnd: Array(repeating: false, count: moves.count), distance: distance,
                parent: parent))
        wait(all.count - 1)
        return all.count - 1
    }

    mutating func note(tail: (moment: Int, choice: Int), of moment: Int) {
        if all[moment].tail == nil { all[moment].tail = tail }
    }

    /// Ends the search beyond a distance.
    mutating func lower(limit: Int) { self.limit = min(self.limit, limit) }

    /// The first step at or after an index whose target is unknown; nil if there is none, or if the node is not to be
    /// expanded.
    func unknownStep(from moment: Int, at place: Int) -> Int? {
        guard all[moment].distance < limit else { return nil }
        return all[moment].targets.indices.dropFirst(max(place, all[moment].next)).first {
            all[moment].targets[$0] == .unknown
        }
    }

    /// The first step whose target is unknown; nil if there is none, or if the node is not to be expanded.
    func unknownStep(from moment: Int) -> Int? {
        let moment = all[moment]
        return moment.distance < limit && moment.next < moment.moves.count ? moment.next : nil
    }

    mutating func note(_ target: Target, of choice: Int, from moment: Int, leavesQueueEnd: Bool) {
        all[moment].targets[choice] = target
        all[moment].leavesQueueEnd[choice] = leavesQueueEnd
        while all[moment].next < all[moment].moves.count, all[moment].targets[all[moment].next] != .unknown {
            all[moment].next += 1
        }
        if case .moment(let other) = target { approach(other, by: choice, from: moment) }
        guard target != .awaited else { return }
        for step in awaiting.removeValue(forKey: Step(moment: moment, choice: choice)) ?? [] {
            note(
                target, of: step.choice, from: step.moment,
                leavesQueueEnd: all[step.moment].leavesQueueEnd[step.choice])
        }
    }

    /// Records that a step has the same target as another one, which will be executed anyway.
    mutating func note(_ step: Step, leadsWhere other: Step, leavesQueueEnd: Bool) {
        awaiting[other, default: []].append(step)
        note(.awaited, of: step.choice, from: step.moment, leavesQueueEnd: leavesQueueEnd)
    }

    /// Shortens the distance of a node that was reached on a shorter path, and of the nodes reachable from it.
    private mutating func approach(_ moment: Int, by choice: Int, from parent: Int) {
        var steps = [(moment, choice, parent)]
        while let (moment, choice, parent) = steps.popLast() {
            guard all[parent].distance + 1 < all[moment].distance else { continue }
            all[moment].distance = all[parent].distance + 1
            all[moment].parent = (parent, choice)
            wait(moment)
            for (choice, target) in all[moment].targets.enumerated() {
                if case .moment(let next) = target { steps.append((next, choice, moment)) }
            }
        }
    }

    private mutating func wait(_ moment: Int) {
        let distance = all[moment].distance
        guard distance < limit, all[moment].next < all[moment].moves.count else { return }
        while waiting.count <= distance { waiting.append([]) }
        waiting[distance].append(moment)
    }

    /// The nearest node with a step whose target is unknown.
    mutating func nextWaiting() -> Int? {
        for distance in waiting.indices where distance < limit {
            while let moment = waiting[distance].last {
                if all[moment].distance == distance, unknownStep(from: moment) != nil { return moment }
                waiting[distance].removeLast()
            }
        }
        return nil
    }

    /// The steps of the shortest known path to a node.
    func path(to moment: Int) -> [Move] {
        var moves: [Move] = []
        var moment = moment
        while let (parent, choice) = all[moment].parent {
            moves.append(all[parent].moves[choice])
            moment = parent
        }
        return moves.reversed()
    }

    /// A path over known steps to a node with an unknown target, found among the nearest `reach` nodes; nil if there is
    /// none.
    func wayToUnknown(from start: Int, within reach: Int) -> [Int]? {
        var seen: Set<Int> = [start]
        var found: [(moment: Int, by: Int, before: Int)] = [(start, 0, -1)]
        var place = 0
        while place < found.count, found.count < reach {
            let here = found[place].moment
            for (choice, target) in all[here].targets.enumerated() {
                guard case .moment(let next) = target, seen.insert(next).inserted else { continue }
                found.append((next, choice, place))
                guard unknownStep(from: next) != nil else { continue }
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
    func shortestViolation() -> [Move]? {
        var seen: Set<Int> = [0]
        var found: [(moment: Int, by: Move?, before: Int)] = [(0, nil, -1)]
        var place = 0
        while place < found.count {
            let here = found[place].moment
            for (choice, target) in all[here].targets.enumerated() {
                let move = all[here].moves[choice]
                switch target {
                case .unknown, .awaited: break
                case .violation:
                    var moves = [move]
                    var at = place
                    while let by = found[at].by {
                        moves.append(by)
                        at = found[at].before
                    }
                    return moves.reversed()
                case .moment(let next):
                    if seen.insert(next).inserted { found.append((next, move, place)) }
                }
            }
            place += 1
        }
        return nil
    }
}
