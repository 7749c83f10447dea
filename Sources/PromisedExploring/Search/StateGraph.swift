/// The known configurations as nodes, and the steps between them as edges.
///
/// A node takes about a hundred bytes: the lists of moves are shared, and the targets of all nodes are in one array.
struct StateGraph: Sendable {
    /// The target of a step, as far as it is known.
    enum StepTarget: Hashable, Sendable {
        case unknown
        case node(Int)
        /// The step violates a property.
        case violation
        /// The step need not be taken here: it has the same effect if it is taken later.
        case postponed
    }

    /// A step from a node, by its index among the moves of that. A path is a list of them.
    struct TakenStep: Hashable, Sendable {
        let node: Int
        let choice: Int
    }

    /// A configuration in which a transition is running, and the number of the event that was enqueued last.
    struct Queued: Sendable {
        let base: Int
        let event: Int
    }

    struct Vertex: Sendable {
        /// The index of the list of its moves.
        let moves: Int32
        /// The node from which it was found, and the step.
        let finder: Int32
        /// The place of the target of its first move.
        let targets: Int
        /// The index of the first step whose target is unknown.
        var next: Int32 = 0
        /// The length of the shortest known path from the start, and the last step of that path.
        var distance: Int32
        var parent: Int32
        var choice: Int32
        let base: Int32
        let event: Int32
        let isBusy: Bool
        let findingChoice: Int32
    }

    var nodes: [Vertex] = []
    var lists: [[Move]] = []
    var listNumbers: [[Move]: Int32] = [:]
    /// By list, the events that are sent.
    private var sends: [[Int]] = []
    /// A node twice, plus one if the step was quiet; -1 is unknown; -2 and, if it was quiet, -3 are violations; -4 is
    /// postponed.
    var targets: [Int32] = []
    /// Nodes with unknown targets, by distance. May contain stale entries: nodes that were completed since, or whose
    /// distance has shrunk.
    var waiting: [[Int32]] = []
    /// Nodes at this distance are not expanded.
    private(set) var limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { nodes.count }

    /// The size of the nodes and their targets, each node being in the queue of waiting ones once.
    var bytes: Int {
        nodes.count * (MemoryLayout<Vertex>.stride + MemoryLayout<Int32>.stride)
            + targets.count * MemoryLayout<Int32>.stride
    }

    func moves(of node: Int) -> [Move] { lists[Int(nodes[node].moves)] }
    func move(of step: TakenStep) -> Move { moves(of: step.node)[step.choice] }
    func target(of step: TakenStep) -> StepTarget { target(of: step.choice, from: step.node) }
    func distance(of node: Int) -> Int { Int(nodes[node].distance) }

    func target(of choice: Int, from node: Int) -> StepTarget {
        let target = targets[nodes[node].targets + choice]
        switch target {
        case 0...: return .node(Int(target >> 1))
        case -1: return .unknown
        case -4: return .postponed
        default: return .violation
        }
    }

    /// Whether the step is known to do the same with one more event at the end of the queue.
    func isQuiet(_ choice: Int, from node: Int) -> Bool {
        let target = targets[nodes[node].targets + choice]
        return target != -1 && target & 1 == 1
    }

    /// How the configuration differs from one with a shorter queue; nil if there is none that is known.
    func queued(in node: Int) -> Queued? {
        let node = nodes[node]
        return node.base < 0 ? nil : Queued(base: Int(node.base), event: Int(node.event))
    }

    /// The number of steps whose target is known.
    func knownCount(from node: Int) -> Int {
        moves(of: node).indices.count { index in
            switch target(of: index, from: node) {
            case .node, .violation: true
            case .unknown, .postponed: false
            }
        }
    }

    /// Whether a transition is running.
    func isBusy(_ node: Int) -> Bool { nodes[node].isBusy }

    /// Whether the target of a step is unknown.
    var isCut: Bool { targets.contains(-1) }

    /// - Parameters:
    ///   - parent: The node and the step by which it was reached; nil for the start.
    ///   - queued: A configuration from which it differs by an enqueued event.
    mutating func add(
        _ moves: [Move], from parent: (node: Int, choice: Int)?, queued: Queued?, isBusy: Bool = false
    ) {
        let list = listNumber(moves, parent?.node) ?? Int32(lists.count)
        if list == lists.count {
            addList(moves)
        }
        nodes.append(
            Vertex(
                moves: list, finder: Int32(parent?.node ?? -1), targets: targets.count,
                distance: parent.map { nodes[$0.node].distance + 1 } ?? 0,
                parent: Int32(parent?.node ?? -1), choice: Int32(parent?.choice ?? 0),
                base: Int32(queued?.base ?? -1), event: Int32(queued?.event ?? 0), isBusy: isBusy,
                findingChoice: Int32(parent?.choice ?? 0)))
        targets.append(contentsOf: repeatElement(-1, count: moves.count))
        wait(nodes.count - 1)
    }

    /// The number of a list: in most cases that of the parent.
    private func listNumber(_ moves: [Move], _ parent: Int?) -> Int32? {
        if let parent, lists[Int(nodes[parent].moves)] == moves { return nodes[parent].moves }
        return listNumbers[moves]
    }

    mutating func addList(_ moves: [Move]) {
        listNumbers[moves] = Int32(lists.count)
        lists.append(moves)
        sends.append(moves.compactMap { if case .send(let event) = $0 { event } else { nil } })
    }

    /// Whether all events that are sent from a node are sent from another one.
    func keepsSends(from node: Int, to other: Int) -> Bool {
        let (before, after) = (sends[Int(nodes[node].moves)], sends[Int(nodes[other].moves)])
        return before == after || Set(before).isSubset(of: after)
    }

    /// Extends the search to a distance.
    mutating func raise(limit: Int) {
        guard limit > self.limit else { return }
        self.limit = limit
        for node in nodes.indices { wait(node) }
    }

    /// Whether steps were postponed, from any node or from one.
    var isPostponed: Bool { targets.contains(-4) }
    func isPostponed(_ node: Int) -> Bool { targets[places(of: node)].contains(-4) }

    /// Takes the targets of the postponed steps from a node to be unknown again.
    mutating func reopen(_ node: Int) {
        for place in places(of: node) where targets[place] == -4 { targets[place] = -1 }
        nodes[node].next = 0
        skipKnown(node)
        wait(node)
    }

    /// Ends the search beyond a distance.
    mutating func lower(limit: Int) { self.limit = min(self.limit, limit) }

    /// The first step whose target is unknown; nil if there is none, or if the node is not to be expanded.
    func unknownStep(from node: Int) -> Int? {
        let (number, node) = (node, nodes[node])
        return Int(node.distance) < limit && Int(node.next) < moves(of: number).count ? Int(node.next) : nil
    }

    mutating func note(_ target: StepTarget, of choice: Int, from node: Int, isQuiet: Bool = false) {
        let place = nodes[node].targets
        switch target {
        case .unknown: return
        case .postponed: targets[place + choice] = -4
        case .violation: targets[place + choice] = isQuiet ? -3 : -2
        case .node(let other): targets[place + choice] = Int32(2 * other + (isQuiet ? 1 : 0))
        }
        skipKnown(node)
        if case .node(let other) = target { approach(other, by: choice, from: node) }
    }

    private mutating func skipKnown(_ node: Int) {
        let places = places(of: node)
        while Int(nodes[node].next) < places.count, targets[places.lowerBound + Int(nodes[node].next)] != -1 {
            nodes[node].next += 1
        }
    }

    /// Where the targets of a node's moves are.
    private func places(of node: Int) -> Range<Int> {
        let first = nodes[node].targets
        return first..<first + moves(of: node).count
    }

    /// Shortens the distance of a node that was reached on a shorter path, and of the nodes reachable from it.
    private mutating func approach(_ node: Int, by choice: Int, from parent: Int) {
        guard nodes[parent].distance + 1 < nodes[node].distance else { return }
        var steps = [(node, choice, parent)]
        while let (node, choice, parent) = steps.popLast() {
            guard nodes[parent].distance + 1 < nodes[node].distance else { continue }
            nodes[node].distance = nodes[parent].distance + 1
            (nodes[node].parent, nodes[node].choice) = (Int32(parent), Int32(choice))
            wait(node)
            for choice in moves(of: node).indices {
                if case .node(let next) = target(of: choice, from: node) {
                    steps.append((next, choice, node))
                }
            }
        }
    }

    private mutating func wait(_ node: Int) {
        guard unknownStep(from: node) != nil else { return }
        let distance = distance(of: node)
        while waiting.count <= distance { waiting.append([]) }
        waiting[distance].append(Int32(node))
    }

    /// The nearest node with a step whose target is unknown.
    mutating func nextWaiting() -> Int? {
        for distance in waiting.indices where distance < limit {
            while let node = waiting[distance].last.map(Int.init) {
                if self.distance(of: node) == distance, unknownStep(from: node) != nil { return node }
                waiting[distance].removeLast()
            }
        }
        return nil
    }

    /// The steps of the path on which a node was found, after the last node on it for which `isStart` is true. All
    /// nodes on it were known before.
    func findingPath(to node: Int, after isStart: (Int) -> Bool) -> (start: Int, choices: [Int]) {
        var choices: [Int] = []
        var node = node
        while nodes[node].finder >= 0, !isStart(node) {
            choices.append(Int(nodes[node].findingChoice))
            node = Int(nodes[node].finder)
        }
        return (node, choices.reversed())
    }

    /// The steps of the shortest known path to a node, after the last node on it for which `isStart` is true.
    func path(to node: Int, after isStart: (Int) -> Bool = { $0 == 0 }) -> (start: Int, steps: [TakenStep]) {
        var steps: [TakenStep] = []
        var node = node
        while nodes[node].parent >= 0, !isStart(node) {
            steps.append(TakenStep(node: Int(nodes[node].parent), choice: Int(nodes[node].choice)))
            node = Int(nodes[node].parent)
        }
        return (node, steps.reversed())
    }
}
