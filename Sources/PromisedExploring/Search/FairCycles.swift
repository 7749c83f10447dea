/// Finds the parts of a graph in which a fair path can stay endlessly without fulfilling a demand.
struct FairCycles {
    typealias TakenStep = StateGraph.TakenStep

    let graph: StateGraph
    let demands: FairnessDemands

    /// The number of positions after which no shorter cycle is looked for.
    private static var patience: Int { 1_000_000 }

    /// The steps from the start on of a path whose last steps form a fair cycle in which a demand is never fulfilled: a
    /// shortest one, unless the graph is very large; nil if there is none.
    func lasso(violating demand: Int) -> (steps: [TakenStep], cycle: Int)? {
        let owed = demands.nodes.indices.filter { demands.nodes[$0].owed.contains(demand) }
        let entries = parts(of: Set(owed)).flatMap { part in
            part.map { (node: $0, part: part, distance: graph.distance(of: $0)) }
        }
        .sorted { ($0.distance, $0.node) < ($1.distance, $1.node) }
        var best: (entry: Int, cycle: [TakenStep], length: Int)?
        var left = Self.patience
        for entry in entries {
            let most = best.map { $0.length - entry.distance - 1 } ?? .max
            if most < 1 || left < 0, best != nil { break }
            let cycle = cycle(from: entry.node, in: entry.part, within: most, &left)
            if !cycle.isEmpty { best = (entry.node, cycle, entry.distance + cycle.count) }
        }
        return best.map { (graph.path(to: $0.entry).steps + $0.cycle, $0.cycle.count) }
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

    /// Where a cycle has come to, and what it still has to do.
    private struct Position: Hashable {
        let node: Int
        /// Whether time has still to pass.
        var timePasses: Bool
        /// The places of the calls that were pending at the start and are not over.
        var calls: [Int]
    }

    /// A shortest cycle through a node on which each call that is pending there is over once, and time passes if it can
    /// everywhere; empty if there is none of at most so many steps.
    private func cycle(from start: Int, in part: Set<Int>, within most: Int, _ left: inout Int) -> [TakenStep]
    {
        let node = demands.nodes[start]
        let first = Position(node: start, timePasses: node.timePasses, calls: Array(0..<node.calls))
        var found: [(place: Position, by: TakenStep?, before: Int, length: Int)] = [(first, nil, -1, 0)]
        var (seen, index): (Set<Position>, Int) = ([first], 0)
        while index < found.count, found[index].length < most {
            let (here, _, _, length) = found[index]
            for (edge, next) in edges(from: here.node, in: part) {
                let place = Position(
                    node: next,
                    timePasses: here.timePasses && !isTick(edge) && demands.nodes[next].timePasses,
                    calls: here.calls.compactMap { demands.place(of: $0, after: edge) })
                if next == start, !place.timePasses, place.calls.isEmpty {
                    var (way, at) = ([edge], index)
                    while let by = found[at].by {
                        way.append(by)
                        at = found[at].before
                    }
                    return way.reversed()
                }
                if seen.insert(place).inserted { found.append((place, edge, index, length + 1)) }
            }
            index += 1
            left -= 1
        }
        return []
    }
}
