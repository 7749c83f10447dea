/// A point of a graph, in pixels.
struct GraphPoint: Hashable {
    var x: Double
    var y: Double

    /// The coordinates as SVG, in whole pixels.
    var text: String { "\(Int(x.rounded())) \(Int(y.rounded()))" }
}

/// A curve that is vertical at both ends.
struct GraphCurve: Hashable {
    let start: GraphPoint
    let end: GraphPoint
    /// The height of both control points.
    let turn: Double

    /// The curve as the part of an SVG path that follows the start.
    var text: String {
        let (first, second) = (GraphPoint(x: start.x, y: turn), GraphPoint(x: end.x, y: turn))
        return "C \(first.text), \(second.text), \(end.text)"
    }

    /// A point of the Bézier curve, for a parameter from 0 to 1.
    func point(at part: Double) -> GraphPoint {
        let rest = 1 - part
        let atStart = rest * rest * (1 + 2 * part)
        let y = rest * rest * rest * start.y + 3 * part * rest * turn + part * part * part * end.y
        return GraphPoint(x: start.x * atStart + end.x * (1 - atStart), y: y)
    }

    /// The arrowhead at the end as an SVG path.
    var tip: String { "M \(end.text) l -4 \(end.y > turn ? -8 : 8) h 8 z" }
}
