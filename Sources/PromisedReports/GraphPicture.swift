/// A graph as SVG in a page of HTML. Nodes and the numbers of edges link to the rows of the page's tables.
package struct GraphPicture {
    private let graph: Graph
    /// Before the number of a row in each link.
    private let prefix: String
    private let layout: GraphLayout

    /// The size up to which a graph is drawn; of a large one, the script shows the part that is asked for.
    package static var mostNodes: Int { 60 }
    package static var mostEdges: Int { 300 }

    /// - Returns: nil if there is nothing to draw, or too much to be read.
    package init?(_ graph: Graph, prefix: String = "") {
        guard 1...Self.mostNodes ~= graph.nodes.count, graph.edges.count <= Self.mostEdges else {
            return nil
        }
        (self.graph, self.prefix, layout) = (graph, prefix, GraphLayout(graph))
    }

    /// The graph, or a sentence that it is too large.
    ///
    /// - Parameter prefix: The text before the number of a row in each link, where a page has several graphs.
    package static func text(of graph: Graph, prefix: String = "") -> String {
        if let picture = GraphPicture(graph, prefix: prefix) {
            let note = #"<p class="dim">Numbers are those of the transitions below.</p>"#
            return graph.edges.isEmpty ? picture.text : "\(picture.text)\n\(note)"
        }
        if graph.nodes.isEmpty { return "" }
        return """
            <p>The graph is left out: it has \(graph.nodes.count) states and \(graph.edges.count) transitions, and is drawn \
            up to \(mostNodes) states and \(mostEdges) transitions. See the tables.</p>
            """
    }

    package var text: String {
        let (width, height) = (Int(layout.width.rounded(.up)), Int(layout.height.rounded(.up)))
        return """
            <div class="wide"><svg class="graph\(graph.isLarge ? " large" : "")" role="group" aria-label="The states and the transitions between them" \
            width="\(width)" height="\(height)" viewBox="\(-width / 2) 0 \(width) \(height)">
            \(start)
            \(graph.edges.indices.map(edge).joined(separator: "\n"))
            \(graph.nodes.indices.map(node).joined(separator: "\n"))
            </svg></div>
            """
    }

    /// A dot above the initial state, with an arrow.
    private var start: String {
        let top = layout.top(ofNode: 0)
        let dot = GraphPoint(x: top.x, y: top.y - 28)
        let curve = GraphCurve(start: dot, end: top, turn: (dot.y + top.y) / 2)
        return #"<g class="edge"><circle cx="\#(Int(dot.x))" cy="\#(Int(dot.y))" r="4"></circle>"#
            + "\(line(from: dot, curve.text, curve.tip))</g>"
    }

    private func node(_ node: Int) -> String {
        let name = Markup.attribute(graph.nodes[node].name)
        let top = layout.top(ofNode: node)
        let corner = GraphPoint(x: top.x - GraphLayout.nodeWidth / 2, y: top.y)
        return
            #"<foreignObject x="\#(Int(corner.x))" y="\#(Int(corner.y))" width="\#(Int(GraphLayout.nodeWidth))" "#
            + #"height="\#(Int(GraphLayout.nodeHeight))"><a class="node\#(graph.nodes[node].isLoading ? " loading" : "")" "#
            + ##"href="#\##(prefix)s\##(node)" title="\##(name)"><span>\##(name)</span></a></foreignObject>"##
    }

    private func edge(_ number: Int) -> String {
        let edge = graph.edges[number]
        let names = "\(graph.nodes[edge.from].name) → \(graph.nodes[edge.to].name)"
        let cause = edge.labels.isEmpty ? "" : ": \(edge.labels.joined(separator: ", "))"
        let (lines, label) = edge.from == edge.to ? loop(at: edge.from) : curve(of: number)
        return
            ##"<a class="edge" href="#\##(prefix)t\##(number + 1)" data-way="\##(edge.from) \##(edge.to)"><title>\##(Markup.escaped(names + cause))</title>"##
            + lines
            + #"<text x="\#(Int(label.x))" y="\#(Int(label.y))">\#(number + 1)</text></a>"#
    }

    private func curve(of number: Int) -> (lines: String, label: GraphPoint) {
        let curves = layout.curves(ofEdge: number)
        let path = curves.map(\.text).joined(separator: " ")
        // Labels of neighbours stand at different heights, so that they do not overlap.
        let label = curves[0].point(at: [0.3, 0.45, 0.6][number % 3])
        return (line(from: curves[0].start, path, curves[curves.count - 1].tip), label)
    }

    /// A transition from a state to itself, at the right side of the node.
    private func loop(at node: Int) -> (lines: String, label: GraphPoint) {
        let top = layout.top(ofNode: node)
        let middle = GraphPoint(
            x: top.x + GraphLayout.nodeWidth / 2, y: top.y + GraphLayout.nodeHeight / 2)
        let start = GraphPoint(x: middle.x, y: middle.y - 8)
        let end = GraphPoint(x: middle.x, y: middle.y + 8)
        let lines = line(from: start, "c 30 -10, 30 26, 0 16", "M \(end.text) l 8 -5 v 9 z")
        return (lines, GraphPoint(x: middle.x + 22, y: middle.y))
    }

    private func line(from start: GraphPoint, _ path: String, _ tip: String) -> String {
        #"<path class="line" d="M \#(start.text) \#(path)"></path><path class="tip" d="\#(tip)"></path>"#
    }
}
