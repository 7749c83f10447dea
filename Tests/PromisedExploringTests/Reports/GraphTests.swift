import Foundation
import PromisedSystem
import TestSupport
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
            of: ##/<a class="edge" href="#(t\d+)" data-way="(\d+ \d+)"><title>([^<]*)<.*?<text [^>]*>(\d+)</##
        )
        #expect(edges.count == diagram.edges.count)
        #expect(edges.map { String($0.4) } == (1...diagram.edges.count).map { "\($0)" })
        #expect(edges.map { String($0.2) } == diagram.edges.map { "\($0.from) \($0.to)" })
        #expect(edges.first?.3 == "clean → saving: save")
        for target in nodes.map(\.2) + edges.map(\.1) { #expect(page.contains(#"id="\#(target)""#)) }
        #expect(page.matches(of: /<script/).count == 1 && page.contains(GraphScript.part.text))
        #expect(page.contains("script-src 'sha256-\(GraphScript.part.hash)';"))
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

    @Test("lines to one state from further away, in one direction, end as one")
    func lanes() throws {
        let diagram = Self.chain(7)
        let layout = GraphLayout(diagram.graph)
        func ends(at node: Int) -> [GraphPoint] {
            diagram.edges.indices.filter {
                diagram.edges[$0].to == node && diagram.edges[$0].from != node
            }
            .compactMap { layout.curves(ofEdge: $0).last?.end }
        }
        // One step back from 1, and all steps back from further away.
        #expect(ends(at: 0).count == 7 && Set(ends(at: 0)).count == 2)
        #expect(ends(at: 3).count == 2 && Set(ends(at: 3)).count == 2)
    }

    @Test("60 states with 300 transitions are drawn without a line through a state, and not too wide")
    func many() throws {
        var generator = SeededGenerator(seed: 7)
        let ways =
            (1..<60).map { ($0 / 3, $0) }
            + (0..<241).map { _ in
                (Int.random(in: 0..<60, using: &generator), Int.random(in: 0..<60, using: &generator))
            }
        let graph = Graph(
            nodes: (0..<60).map { .init(name: "state \($0)", isLoading: false) },
            edges: ways.map { .init(from: $0.0, to: $0.1, labels: ["way"]) })
        let layout = GraphLayout(graph)
        let tops = graph.nodes.indices.map { layout.top(ofNode: $0) }
        for node in tops.indices {
            for other in tops[..<node] where other.y == tops[node].y {
                #expect(abs(other.x - tops[node].x) >= GraphLayout.nodeWidth)
            }
        }
        for (number, edge) in graph.edges.enumerated() where edge.from != edge.to {
            for curve in layout.curves(ofEdge: number) {
                for point in (1..<20).map({ curve.point(at: Double($0) / 20) }) {
                    #expect(!tops.contains { isInside(point, $0) }, "\(edge)")
                }
            }
        }
        #expect(layout.width < 3_200, "\(layout.width)")
        #expect(try #require(GraphPicture(graph)).text.contains(#"<svg class="graph large""#))
    }

    @Test("a graph that is too large is left out, and the page says so")
    func large() {
        let explorer = Explorer<Int, Int>(events: Array(0..<61)) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let page = explorer.explore(depth: 1).html()
        #expect(!page.contains("<svg"))
        #expect(
            page.contains(
                """
                <p>The graph is left out: it has 61 states and 61 transitions, and is drawn up to 60 states and 300 \
                transitions. See the tables.</p>
                """))
        #expect(GraphPicture(Graph()) == nil)
    }

    @Test("pages for the check in a browser are written", .enabled(if: folder != nil)) func pages() throws {
        let explorer = Explorer<Int, Int>(events: Array(1...5)) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = (state * event + event) % 60 })
        }
        let page = explorer.explore(depth: 60).html(title: "</script><b>Rooms</b>")
        try page.write(
            toFile: "\(Self.folder ?? "")/graph.html", atomically: true, encoding: .utf8)
    }

    private static let folder = ProcessInfo.processInfo.environment["PROMISED_REPORT_PAGES"]
}
