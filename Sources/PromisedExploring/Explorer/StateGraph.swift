/// The known configurations as nodes, and the steps between them as edges.
struct StateGraph {
    /// What is known about the target of a step.
    enum Target: Hashable {
        case unknown
        case node(Int)
        /// The step violates a property.
        case violation
    }

    struct Node {
        let moves: [Move]
        var targets: [Target]
        /// The index of the first step whose target is unknown.
        var next = 0
        /// The length of the shortest known path from the start, and the last step of that path.
        var distance: Int
        var parent: (node: Int, choice: Int)?
    }

    private(set) var all: [Node] = []
    /// Nodes with unknown targets, by distance. May contain stale entries: nodes that were completed since, or whose
    /// distance has shrunk.
    private var waiting: [[Int]] = []
    /// Nodes at this distance are not expanded.
    private(set) var limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ moves: [Move], distance: Int, parent: (node: Int, choice: Int)?) {
        all.append(
            Node(
                moves: moves, targets: Array(repeating: .unknown, count: moves.count), distance: distance,
                parent: parent))
        wait(all.count - 1)
    }

    /// Ends the search beyond a distance.
    mutating func lower(limit: Int) { self.limit = min(self.limit, limit) }

    /// The first step whose target is unknown; nil if there is none, or if the node is not to be expanded.
    func unknownStep(from node: Int) -> Int? {
        let node = all[node]
        return node.distance < limit && node.next < node.moves.count ? node.next : nil
    }

    mutating func note(_ target: Target, of choice: Int, from node: Int) {
        all[node].targets[choice] = target
        while all[node].next < all[node].moves.count, all[node].targets[all[node].next] != .unknown {
            all[node].next += 1
        }
        if case .node(let other) = target { approach(other, by: choice, from: node) }
    }

    /// Shortens the distance of a node that was reached on a shorter path, and of the nodes reachable from it.
    private mutating func approach(_ node: Int, by choice: Int, from parent: Int) {
        var steps = [(node, choice, parent)]
        while let (node, choice, parent) = steps.popLast() {
            guard all[parent].distance + 1 < all[node].distance else { continue }
            all[node].distance = all[parent].distance + 1
            all[node].parent = (parent, choice)
            wait(node)
            for (choice, target) in all[node].targets.enumerated() {
                if case .node(let next) = target { steps.append((next, choice, node)) }
            }
        }
    }

    private mutating func wait(_ node: Int) {
        let distance = all[node].distance
        guard distance < limit, all[node].next < all[node].moves.count else { return }
        while waiting.count <= distance { waiting.append([]) }
        waiting[distance].append(node)
    }

    /// The nearest node with a step whose target is unknown.
    mutating func nextWaiting() -> Int? {
        for distance in waiting.indices where distance < limit {
            while let node = waiting[distance].last {
                if all[node].distance == distance, unknownStep(from: node) != nil { return node }
                waiting[distance].removeLast()
            }
        }
        return nil
    }

    /// The steps of the shortest known path to a node.
    func path(to node: Int) -> [Move] {
        var moves: [Move] = []
        var node = node
        while let (parent, choice) = all[node].parent {
            moves.append(all[parent].moves[choice])
            node = parent
        }
        return moves.reversed()
    }

    /// A path over known steps to a node with an unknown target, found among the nearest `reach` nodes; nil if there is
    /// none.
    func wayToUnknown(from start: Int, within reach: Int) -> [Int]? {
        var seen: Set<Int> = [start]
        var found: [(node: Int, by: Int, before: Int)] = [(start, 0, -1)]
        var place = 0
        while place < found.count, found.count < reach {
            let here = found[place].node
            for (choice, target) in all[here].targets.enumerated() {
                guard case .node(let next) = target, seen.insert(next).inserted else { continue }
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
        var found: [(node: Int, by: Move?, before: Int)] = [(0, nil, -1)]
        var place = 0
        while place < found.count {
            let here = found[place].node
            for (choice, target) in all[here].targets.enumerated() {
                let move = all[here].moves[choice]
                switch target {
                case .unknown: break
                case .violation:
                    var moves = [move]
                    var at = place
                    while let by = found[at].by {
                        moves.append(by)
                        at = found[at].before
                    }
                    return moves.reversed()
                case .node(let next):
                    if seen.insert(next).inserted { found.append((next, move, place)) }
                }
            }
            place += 1
        }
        return nil
    }
}
