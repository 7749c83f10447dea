import PromisedSystem
import Testing

@testable import PromisedExploring
@testable import PromisedReports

/// The graph of an exploration's page.
@Suite struct GraphTests {
    /// Counts up and down to a limit, and back to 0.
    private static func chain(_ last: Int) -> StateDiagram {
        Explorer<Int, Int>(events: [1, 0, -1]) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { $0 = $1 == 0 ? 0 : max(0, min(last, $0 + $1)) })
        }
        .explore(depth: 100).diagram()
    }

    @Test("has one node for each state and one curve for each transition, which link to the tables")
    func parts() throws {
        let exploration = Saving.explorer().explore(depth: 4)
        let (page, diagram) = (exploration.html(), exploration.diagram())
        let nodes = page.matches(
            of: ##/<a class="(node|node loading)" href="#(s\d+)" title="(\w+)"><span>(\w+)</##)
        #expect(nodes.map { String($0.3) } == diagram.nodes.map(\.name))
        #expect(nodes.map { String($0.4) } == diagram.nodes.map(\.name))
        #expect(nodes.map { $0.1 == "node loading" } == diagram.nodes.map(\.isLoading))
        let edges = page.matches(
            of: ##/<a class="edge" href="#(t\d+)"><title>([^<]*)<.*?<text [^>]*>(\d+)</##)
        #expect(edges.count == diagram.edges.count)
        #expect(edges.map { String($0.3) } == (1...diagram.edges.count).map { "\($0)" })
        #expect(edges.first?.2 == "clean → saving: save")
        for target in nodes.map(\.2) + edges.map(\.1) { #expect(page.contains(#"id="\#(target)""#)) }
        #expect(!page.contains("<script"))
    }

    @Test("names are escaped in nodes and curves")
    func escaping() throws {
        let exploration = Explorer<String, String>(events: ["\"<b>'&"]) { world in
            System(initialState: "a", scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        .explore(depth: 1)
        let graph = try #require(GraphPicture(exploration.diagram { $0 }.graph)).text
        let escaped = "&quot;&lt;b&gt;&#39;&amp;"
        #expect(graph.contains(#"title="\#(escaped)"><span>\#(escaped)</span>"#))
        // The event is shown as source text.
        #expect(
            graph.contains(#"<title>a → \#(escaped): &quot;\&quot;&lt;b&gt;\&#39;&amp;&quot;</title>"#))
        #expect(!graph.contains("<b>"))
    }

    @Test("a state is placed below those that are nearer to the start, and no two overlap")
    func rows() {
        let diagram = Self.chain(7)
        let layout = GraphLayout(diagram.graph)
        let tops = diagram.nodes.indices.map { layout.top(ofNode: $0) }
        #expect(diagram.nodes.map(\.name) == (0...7).map { "\($0)" })
        #expect(tops.map(\.y) == (0...7).map { 36 + Double($0) * 128 })
        #expect(layout.height == 36 + 7 * 128 + 44 + 36)
        let star = GraphLayout(
            Explorer<Int, Int>(events: Array(0..<10)) { world in
                System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            }
            .explore(depth: 1).diagram().graph)
        let places = (1...9).map { star.top(ofNode: $0) }
        #expect(Set(places.map(\.y)) == [164, 292, 420])
        for (number, place) in places.enumerated() {
            #expect(abs(place.x) + GraphLayout.nodeWidth / 2 <= star.width / 2)
            for other in places[..<number] where other.y == place.y {
                #expect(abs(other.x - place.x) >= GraphLayout.nodeWidth)
            }
        }
    }

    @Test("curves begin and end at the sides of their states, and run through no other")
    func curves() throws {
        let diagram = Self.chain(7)
        let layout = GraphLayout(diagram.graph)
        for (number, edge) in diagram.edges.enumerated() where edge.from != edge.to {
            let curves = layout.curves(ofEdge: number)
            let (from, to) = (layout.top(ofNode: edge.from), layout.top(ofNode: edge.to))
            let isDown = from.y < to.y
            // They are spread along the side, away from its corners.
            for (end, node) in [(curves.first?.start, from), (curves.last?.end, to)] {
                #expect(try abs(#require(end).x - node.x) < GraphLayout.nodeWidth / 2)
            }
            #expect(curves.first?.start.y == from.y + (isDown ? GraphLayout.nodeHeight : 0))
            #expect(curves.last?.end.y == to.y + (isDown ? 0 : GraphLayout.nodeHeight))
            #expect(zip(curves, curves.dropFirst()).allSatisfy { $0.end == $1.start })
            for curve in curves {
                for point in (1..<20).map({ curve.point(at: Double($0) / 20) }) {
                    #expect(!diagram.nodes.indices.contains { isInside(point, layout.top(ofNode: $0)) })
                }
            }
        }
    }

    private func isInside(_ point: GraphPoint, _ top: GraphPoint) -> Bool {
        abs(point.x - top.x) < GraphLayout.nodeWidth / 2
            && (top.y..<top.y + GraphLayout.nodeHeight).contains(point.y)
    }

    @Test("a graph that is too large is left out, and the page says so")
    func large() {
        let explorer = Explorer<Int, Int>(events: Array(0..<21)) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let page = explorer.explore(depth: 1).html()
        #expect(!page.contains("<svg"))
        #expect(
            page.contains(
                """
                <p>The graph is left out: it has 21 states and 21 transitions, and is drawn up to 20 states and 36 \
                transitions. See the tables.</p>
                """))
        #expect(GraphPicture(Graph()) == nil)
    }
}
