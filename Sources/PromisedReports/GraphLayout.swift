/// A layered layout of a graph: the states in rows by their distance from the start, the start at the top. A
/// transition that passes through a row has a place in it, so that no line runs behind a state. Those to one state, in
/// one direction, share that place and the end of their line.
///
/// The horizontal middle is zero.
struct GraphLayout {
    /// An element of a row.
    private enum Cell: Hashable {
        case node(Int)
        case bend(lane: Int, row: Int)
    }

    /// One of the two long sides of a node.
    private struct Side: Hashable {
        let node: Int
        let isBottom: Bool
    }

    /// An end of an edge.
    private struct End: Hashable {
        let edge: Int
        let isTarget: Bool
    }

    static var nodeWidth: Double { 170 }
    static var nodeHeight: Double { 44 }
    private static var bendWidth: Double { 28 }
    private static var gap: Double { 48 }
    private static var rowGap: Double { 84 }
    private static var margin: Double { 36 }

    private let edges: [Graph.Edge]
    /// For each edge, the first one whose line has the same end.
    private var lanes: [Int]
    private let nodesInRow: Int
    private var rows: [[Cell]] = []
    private var rowOfNode: [Int]
    private var centers: [Cell: Double] = [:]
    private var ends: [End: Double] = [:]
    private var widest = 0.0

    init(_ graph: Graph) {
        (edges, lanes) = (graph.edges, Array(graph.edges.indices))
        rowOfNode = Array(repeating: 0, count: graph.nodes.count)
        nodesInRow = graph.isLarge ? 8 : 4
        fillRows()
        for row in rows.indices { place(row, beside: row - 1) }
        for row in rows.indices.dropLast().reversed() { place(row, beside: row + 1) }
        for row in rows.indices.dropFirst() { place(row, beside: row - 1) }
        placeEnds()
    }

    var width: Double { widest + Self.gap }
    var height: Double { top(ofRow: rows.count - 1) + Self.nodeHeight + Self.margin }

    /// The middle of the upper side of a node.
    func top(ofNode node: Int) -> GraphPoint {
        GraphPoint(x: centers[.node(node)] ?? 0, y: top(ofRow: rowOfNode[node]))
    }

    /// The curves of an edge from node to node, one after the other.
    func curves(ofEdge number: Int) -> [GraphCurve] {
        let edge = edges[number]
        let start = point(of: End(edge: number, isTarget: false), at: edge.from)
        let end = point(of: End(edge: lanes[number], isTarget: true), at: edge.to)
        if rowOfNode[edge.from] == rowOfNode[edge.to] {
            return [GraphCurve(start: start, end: end, turn: start.y + Self.rowGap / 2)]
        }
        let points = [start] + bends(ofEdge: number) + [end]
        return zip(points, points.dropFirst()).map {
            GraphCurve(start: $0, end: $1, turn: ($0.y + $1.y) / 2)
        }
    }

    private func bends(ofEdge number: Int) -> [GraphPoint] {
        // Vertical beside the states of a row.
        let points = rowsBetween(edges[number]).flatMap { row in
            let (x, top) = (centers[.bend(lane: lanes[number], row: row)] ?? 0, top(ofRow: row))
            return [GraphPoint(x: x, y: top), GraphPoint(x: x, y: top + Self.nodeHeight)]
        }
        return rowOfNode[edges[number].from] < rowOfNode[edges[number].to] ? points : points.reversed()
    }

    private func point(of end: End, at node: Int) -> GraphPoint {
        let edge = edges[end.edge]
        let other = end.isTarget ? edge.from : edge.to
        let top = top(ofRow: rowOfNode[node])
        return GraphPoint(
            x: ends[end] ?? 0, y: rowOfNode[other] < rowOfNode[node] ? top : top + Self.nodeHeight)
    }

    private func top(ofRow row: Int) -> Double {
        Self.margin + Double(row) * (Self.nodeHeight + Self.rowGap)
    }

    // MARK: Rows

    private mutating func fillRows() {
        for rank in nodesByDistance {
            for first in stride(from: 0, to: rank.count, by: nodesInRow) {
                let nodes = rank[first...].prefix(nodesInRow)
                for node in nodes { rowOfNode[node] = rows.count }
                rows.append(nodes.map { .node($0) })
            }
        }
        var lanesByEnd: [Side: Int] = [:]
        for (number, edge) in edges.enumerated() {
            let between = rowsBetween(edge)
            if between.isEmpty { continue }
            let side = Side(node: edge.to, isBottom: rowOfNode[edge.from] > rowOfNode[edge.to])
            let lane = lanesByEnd[side] ?? number
            (lanesByEnd[side], lanes[number]) = (lane, lane)
            for row in between {
                let bend = Cell.bend(lane: lane, row: row)
                if !rows[row].contains(bend) { rows[row].append(bend) }
            }
        }
    }

    private var nodesByDistance: [[Int]] {
        var unreached = Set(rowOfNode.indices)
        var ranks: [[Int]] = []
        while let next = unreached.min() {
            // Each time from a node that is not reached from the previous ones; usually there is none but the start.
            var rank = [next]
            while !rank.isEmpty {
                ranks.append(rank)
                unreached.subtract(rank)
                let targets = edges.filter { rank.contains($0.from) }.map(\.to)
                rank = unreached.intersection(targets).sorted()
            }
        }
        return ranks
    }

    private func rowsBetween(_ edge: Graph.Edge) -> [Int] {
        let (from, to) = (rowOfNode[edge.from], rowOfNode[edge.to])
        return Array((min(from, to)...max(from, to)).dropFirst().dropLast())
    }

    // MARK: Places

    /// Places the parts of a row in the order of what they are connected with in a row beside it.
    private mutating func place(_ row: Int, beside other: Int) {
        let ordered = rows[row].enumerated()
            .map { (key: middle(of: $1, in: other), index: $0, slot: $1) }
            .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
            .map(\.slot)
        let total = ordered.map(Self.width).reduce(0, +)
        var left = -total / 2
        for slot in ordered {
            centers[slot] = left + Self.width(of: slot) / 2
            left += Self.width(of: slot)
        }
        widest = max(widest, total)
    }

    /// The width of a part with the gap around it.
    private static func width(of slot: Cell) -> Double {
        if case .node = slot { nodeWidth + gap } else { bendWidth }
    }

    /// The middle of what a part is connected with in a row beside it.
    private func middle(of slot: Cell, in row: Int) -> Double {
        let connected = edges.indices.filter { number in
            switch slot {
            case .bend(let lane, _): lanes[number] == lane
            case .node(let node): edges[number].from == node || edges[number].to == node
            }
        }
        let beside = connected.compactMap { self.slot(of: $0, in: row).flatMap { centers[$0] } }
        return beside.isEmpty ? 0 : beside.reduce(0, +) / Double(beside.count)
    }

    /// The place of an edge in a row: one of its nodes, or a bend; nil where it does not get there.
    private func slot(of number: Int, in row: Int) -> Cell? {
        let edge = edges[number]
        if rowOfNode[edge.from] == row { return .node(edge.from) }
        if rowOfNode[edge.to] == row { return .node(edge.to) }
        let bend = Cell.bend(lane: lanes[number], row: row)
        return centers[bend] == nil ? nil : bend
    }

    // MARK: Ends

    /// Spreads the ends of the edges along the sides of each node, in the order of where the edges lead.
    private mutating func placeEnds() {
        var sides: [Side: [(toward: Double, end: End)]] = [:]
        func add(_ number: Int, at node: Int, to other: Int, isTarget: Bool) {
            let difference = (rowOfNode[other] - rowOfNode[node]).signum()
            let next = difference == 0 ? .node(other) : slot(of: number, in: rowOfNode[node] + difference)
            sides[Side(node: node, isBottom: difference >= 0), default: []].append(
                (next.flatMap { centers[$0] } ?? 0, End(edge: number, isTarget: isTarget)))
        }
        for (number, edge) in edges.enumerated() where edge.from != edge.to {
            add(number, at: edge.from, to: edge.to, isTarget: false)
            if lanes[number] == number { add(number, at: edge.to, to: edge.from, isTarget: true) }
        }
        for (side, found) in sides {
            let ordered = found.sorted { ($0.toward, $0.end.edge) < ($1.toward, $1.end.edge) }
            let left = (centers[.node(side.node)] ?? 0) - Self.nodeWidth / 2
            for (index, (_, end)) in ordered.enumerated() {
                ends[end] = left + Self.nodeWidth * Double(index + 1) / Double(ordered.count + 1)
            }
        }
    }
}
