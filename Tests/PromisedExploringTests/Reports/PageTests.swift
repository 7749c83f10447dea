import PromisedSystem
import Testing

@testable import PromisedExploring
@testable import PromisedReports

/// The page of an exploration.
@Suite struct PageTests {
    @Test("the page has the result, the figures, the coverage, the states and the transitions")
    func parts() {
        let exploration = Saving.explorer().explore(depth: 4)
        let page = exploration.html(
            title: "Saving <1>", diagram: exploration.diagram(cases: ["clean", "lost"]))
        for part in [
            "<title>Saving &lt;1&gt;</title>", "<h1>Saving &lt;1&gt;</h1>",
            #"<p class="verdict open">No property is violated on any path of up to 4 steps.</p>"#,
            "<li>configurations beyond depth 4 were not visited</li>",
            "<div><dt>configurations</dt><dd>\(exploration.configurations)</dd></div>",
            "<h3>Events: 2 of 2 covered</h3>",
            #"<li><code>disk → disk full</code> <span class="good">covered</span></li>"#,
            ##"<td><span id="s1"><code>saving</code></span></td><td>loading</td><td><a href="#s0"><code>clean</code></a> <code>save</code></td>"##,
            #"<tr><td><code>lost</code></td><td><span class="bad">not reached</span></td><td></td><td></td></tr>"#,
            ##"<tr><td><span id="t1">1</span></td><td><a href="#s0"><code>clean</code></a></td><td><code>save</code></td><td><a href="#s1"><code>saving</code></a></td></tr>"##,
        ] { #expect(page.contains(part), "\(part)") }
        #expect(!page.contains("<h2>Counterexample</h2>"))
    }

    @Test("where a limit was reached, nothing is said of paths that were not tried") func limit() {
        let page = Saving.explorer().explore(depth: 8, .init(stepLimit: 10)).html()
        #expect(page.contains("No property is violated in the part that was explored.</p>"))
        #expect(!page.contains("on any path"))
    }

    @Test("a counterexample is shown step by step, with what each has changed, and its script") func story() {
        let page = Searching.explorer().explore(depth: 4).html()
        for part in [
            #"<p class="verdict bad">&quot;the hits are those of the query&quot; does not hold after 4 steps"#,
            "<ol><li><code>.send(.type(&quot;t&quot;))</code><pre>loading, query: &quot;&quot; → &quot;t&quot;, isBusy: false → true</pre></li>",
            "<p>At the start: <code>Searching.State(query: &quot;&quot;, hits: [], isBusy: false, limit: 10)</code></p>",
            #"<li><code>.send(.type(&quot;m&quot;))</code> <span class="dim">changes no shown state</span></li>"#,
            "<pre>explorer.replay(\n    .send(.type(&quot;t&quot;)),",
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test("of several counterexamples each has its headline and its path") func several() {
        let page = Order.explorer { world in
            world.always("never failed") { $0 != .failed }
            world.always("never placed") { $0 != .placed }
        }
        .explore(depth: 8, .init(violations: .all)).html()
        for part in [
            "<h2>2 counterexamples</h2>",
            "<h3>&quot;never placed&quot; does not hold after 2 steps. It is broken by .placed.</h3>",
            "<li><code>.answer(&quot;order&quot;, &quot;done&quot;)</code><pre>.placed</pre></li>",
            "<h3>&quot;never failed&quot; does not hold after 2 steps. It is broken by .failed.</h3>",
            "<li><code>.answer(&quot;order&quot;, &quot;refused&quot;)</code><pre>.failed</pre></li>",
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test("the step from which a path can repeat is marked") func cycle() {
        let page = Order.explorer(retries: true) { world in
            world.eventually("placing ends") { $0 != .placing }
        }
        .explore(depth: 6).html()
        #expect(
            page.contains(
                "<ol><li><code>.send(.place)</code><pre>.placing</pre></li>\n"
                    + #"<li class="cycle"><code>.answer(&quot;order&quot;, &quot;refused&quot;)</code>"#))
    }

    @Test("a complete exploration says so, and what is missing is unreachable") func complete() {
        let explorer = Explorer<Int, Int>(events: [0, 1]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = max($0, $1) })
        }
        let page = explorer.explore(depth: 9).html()
        for part in [
            #"<p class="verdict good">Complete: every reachable configuration was visited"#,
            "<h3>Events: 1 of 2 covered</h3>",
            #"<li><code>0</code> <span class="bad">unreachable</span></li>"#,
            "<p>States are listed by case: this state is no enum, or cannot be compared.</p>",
            ##"<td><span id="s0"><code>0</code></span></td><td>settled</td><td>the start</td><td>2</td></tr>"##,
            ##"<td><a href="#s0"><code>0</code></a> <code>1</code></td><td>1</td></tr>"##,
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test(
        "the coverage is that of the exploration, with unreached cases of the diagram, or one that is passed")
    func coverage() {
        let exploration = Order.explorer { _ in }.explore(depth: 1)
        let diagram = exploration.diagram(cases: ["cart", "lost"])
        func items(_ page: String) -> [String] {
            page.matches(of: #/<li><code>([^<]*)<\/code> <span class="[a-z]+">([a-z ]+)<\/span>/#)
                .map { "\($0.1): \($0.2)" }
        }
        func names(_ coverage: Coverage) -> [String] {
            coverage.items.map { "\(Markup.escaped($0.name)): \($0.status.rawValue)" }
        }
        let shown = items(exploration.html(diagram: diagram))
        #expect(
            shown.sorted() == names(exploration.coverage(ofStates: ["lost"], events: [])).sorted())
        #expect(shown.first == "lost: not covered")
        #expect(items(exploration.html()).sorted() == names(exploration.coverage).sorted())
        let passed = exploration.coverage(ofStates: ["gone"], events: ["sent"])
        #expect(items(exploration.html(coverage: passed)).sorted() == names(passed).sorted())
    }

    @Test("names cannot leave their places: every element is closed, and nothing is loaded from elsewhere")
    func escaping() {
        let texts = ["</code><script>alert(1)</script>", "\"><img src=x onerror='y'>", "a\u{0}&amp;\u{301}"]
        let explorer = Explorer<String, String>(events: texts) { world in
            world.always("</style>") { $0 != texts[2] }
            return System(initialState: "", scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let page = explorer.explore(depth: 2).html(title: "</title><b>")
        var open: [Substring] = []
        for tag in page.matches(of: #/<(\/?)([a-z][a-z0-9]*)[^<>]*>/#) where !["meta", "br"].contains(tag.2) {
            if tag.1.isEmpty { open.append(tag.2) } else { #expect(open.popLast() == tag.2) }
        }
        #expect(open.isEmpty)
        #expect(page.matches(of: /<script/).count == 1 && !page.contains("<img") && !page.contains("<b>"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("url("))
        #expect(!page.unicodeScalars.contains("\u{0}"))
    }

    @Test("long tables are cut, and the rest is counted") func long() {
        let explorer = Explorer<Int, Int>(events: Array(0..<600)) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let page = explorer.explore(depth: 1).html()
        #expect(page.contains("<p>… and 100 more.</p>"))
        #expect(
            page.contains(#"id="s499""#) && !page.contains(#"id="s500""#)
                && !page.contains(##"href="#s500""##))
    }
}
