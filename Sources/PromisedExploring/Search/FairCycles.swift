/// Finds the parts of a graph in which a fair path can stay endlessly without fulfilling a demand.
struct FairCycles {
    typealias TakenStep = StateGraph.TakenStep

    let graph: StateGraph
    let demands: FairnessDemands

    /// The steps from the start on of a path whose last steps form a fair cycle in which a demand is never fulfilled,
    /// the shortest that was found; nil if there is none.
    func lasso(violating demand: Int) -> (steps: [TakenStep], cycle: Int)? {
        let owed = demands.nodes.indices.filter { demands.nodes[$0].owed.contains(demand) }
        let lassos = parts(of: Set(owed)).compactMap { part -> (steps: [TakenStep], cycle: Int)? in
            guard let entry = part.min(by: { (graph.distance(of: $0), $0) < (graph.distance(of: $1), $1) })
            else { return nil }
            let prefix = way(from: 0) { _, next, _ in next == entry }
            let cycles = [false, true].map { self.cycle(from: entry, in: part, beginsWithTime: $0) }
            let cycle = cycles[1].count < cycles[0].count ? cycles[1] : cycles[0]
            return ((entry == 0 ? [] : prefix) + cycle, cycle.count)
        }
        return lassos.min { $0.steps.count < $1.steps.count }
    }

    private func edges(from node: Int, in part: Set<Int>?) -> [(edge: TakenStep, next: Int)] {
        graph.moves(of: node).indices.compactMap { choice in
            guard case .node(let next) = graph.target(of: choice, from: node), part?.contains(next) ?? true
            else { return nil }
            return (TakenStep(node: node, choice: choice), next)
        }
    }

    // MARK: Parts

    /// The largest sets of nodes in which a fair path can visit every node again and again.
    private func parts(of nodes: Set<Int>) -> [Set<Int>] {
        components(of: nodes).flatMap { component -> [Set<Int>] in
            guard letsTimePass(component) else { return [] }
            let stuck = component.subtracting(nodesWhereCallsEnd(in: component))
            return stuck.isEmpty ? [component] : parts(of: component.subtracting(stuck))
        }
    }

    private func letsTimePass(_ part: Set<Int>) -> Bool {
        part.contains { node in
            !demands.nodes[node].timePasses || edges(from: node, in: part).contains { isTick($0.edge) }
        }
    }

    private func isTick(_ edge: TakenStep) -> Bool { graph.move(of: edge) == .tick }

    /// The nodes from which each pending call can be over without leaving the part.
    private func nodesWhereCallsEnd(in part: Set<Int>) -> Set<Int> {
        var ends: [Int: Set<Int>] = [:]
        var hasChanged = true
        let order = part.sorted(by: >)
        while hasChanged {
            hasChanged = false
            for node in order {
                for (edge, next) in edges(from: node, in: part) {
                    for (call, after) in (demands.calls[edge] ?? []).enumerated()
                    where after.map({ ends[next]?.contains($0) ?? false }) ?? true {
                        if ends[node, default: []].insert(call).inserted { hasChanged = true }
                    }
                }
            }
        }
        return part.filter { (ends[$0]?.count ?? 0) >= demands.nodes[$0].calls }
    }

    /// The strongly connected components that have an edge.
    private func components(of nodes: Set<Int>) -> [Set<Int>] {
        var (left, before) = (nodes, [Int: [Int]]())
        for node in nodes {
            for (_, next) in edges(from: node, in: nodes) { before[next, default: []].append(node) }
        }
        var order: [Int] = []
        // Each node comes after those that can be reached from it.
        for root in nodes.sorted() where left.contains(root) {
            left.remove(root)
            var path = [(node: root, rest: edges(from: root, in: nodes).map(\.next)[...])]
            while let next = path.last?.rest.first {
                path[path.count - 1].rest.removeFirst()
                if left.remove(next) != nil {
                    path.append((next, edges(from: next, in: nodes).map(\.next)[...]))
                }
                while let last = path.last, last.rest.isEmpty { order.append(path.removeLast().node) }
            }
            order += path.reversed().map(\.node)
        }
        left = nodes
        return order.reversed().compactMap { root in
            guard left.remove(root) != nil else { return nil }
            var (component, waiting): (Set<Int>, [Int]) = ([root], [root])
            while let node = waiting.popLast() {
                for other in before[node] ?? [] where left.remove(other) != nil {
                    component.insert(other)
                    waiting.append(other)
                }
            }
            let isCyclic = component.count > 1 || edges(from: root, in: component).isEmpty == false
            return isCyclic ? component : nil
        }
    }

    // MARK: Ways

    /// A cycle through a node on which each call that is pending there is over once, and time passes if it can
    /// everywhere.
    private func cycle(from start: Int, in part: Set<Int>, beginsWithTime: Bool) -> [TakenStep] {
        var cycle: [TakenStep] = []
        var here = start
        var calls: [Int] = Array(0..<demands.nodes[start].calls)
        func go(_ way: [TakenStep]) {
            for edge in way {
                if case .node(let next) = graph.target(of: edge) { here = next }
                calls = calls.compactMap { demands.place(of: $0, after: edge) }
            }
            cycle += way
        }
        func letTimePass() {
            if cycle.contains(where: { isTick($0) || !demands.nodes[$0.node].timePasses }) { return }
            go(way(from: here, in: part) { edge, next, _ in isTick(edge) || !demands.nodes[next].timePasses })
        }
        let timePasses = demands.nodes[start].timePasses
        if timePasses, beginsWithTime { letTimePass() }
        while let call = calls.first {
            let end = way(from: here, call, in: part) { _, _, call in call == nil }
            if end.isEmpty { break }
            go(end)
        }
        if timePasses { letTimePass() }
        if here != start || cycle.isEmpty { go(way(from: here, in: part) { _, next, _ in next == start }) }
        return cycle
    }

    /// The shortest way whose last step satisfies a condition. The condition is passed the step, its target, and the
    /// place of the call there, nil if it is over.
    private func way(
        from start: Int, _ call: Int? = nil, in part: Set<Int>? = nil,
        to isGoal: (TakenStep, Int, Int?) -> Bool
    ) -> [TakenStep] {
        struct Position: Hashable {
            let node: Int
            let call: Int?
        }
        var found: [(place: Position, by: TakenStep?, before: Int)] = [
            (Position(node: start, call: call), nil, -1)
        ]
        var seen: Set<Position> = [found[0].place]
        var index = 0
        while index < found.count {
            let here = found[index].place
            for (edge, next) in edges(from: here.node, in: part) {
                let call = here.call.flatMap { demands.place(of: $0, after: edge) }
                if isGoal(edge, next, call) {
                    var (way, at) = ([edge], index)
                    while let by = found[at].by {
                        way.append(by)
                        at = found[at].before
                    }
                    return way.reversed()
                }
                let place = Position(node: next, call: call)
                if seen.insert(place).inserted { found.append((place, edge, index)) }
            }
            index += 1
        }
        return []
    }
}
