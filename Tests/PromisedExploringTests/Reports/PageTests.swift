import PromisedExploring
import PromisedSystem
import Testing

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
            "<tr><td><code>save</code></td><td>event</td><td>3</td></tr>",
            "<tr><td><code>disk → disk full</code></td><td>outcome</td><td>1</td></tr>",
            ##"<td><span id="s1"><code>saving</code></span></td><td>loading</td><td><a href="#s0"><code>clean</code></a> <code>save</code></td>"##,
            #"<tr><td><code>lost</code></td><td><span class="bad">not reached</span></td><td></td><td></td></tr>"#,
            ##"<tr><td><a href="#s0"><code>clean</code></a></td><td><code>save</code></td><td><a href="#s1"><code>saving</code></a></td></tr>"##,
        ] { #expect(page.contains(part), "\(part)") }
        #expect(!page.contains("<h2>Counterexample</h2>"))
    }

    @Test("a counterexample is shown step by step, with what each has changed, and its script") func story() {
        let page = Searching.explorer().explore(depth: 4).html()
        for part in [
            #"<p class="verdict bad">&quot;the hits are those of the query&quot; does not hold after 4 steps"#,
            "<ol><li><code>.send(.type(&quot;t&quot;))</code><pre>loading, query: &quot;&quot; → &quot;t&quot;, isBusy: false → true</pre></li>",
            "<pre>explorer.replay(\n    .send(.type(&quot;t&quot;)),",
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test("a complete exploration says so, and an event without an effect is marked") func complete() {
        let explorer = Explorer<Int, Int>(events: [0, 1]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = max($0, $1) })
        }
        let page = explorer.explore(depth: 9).html()
        #expect(
            page.contains(#"<p class="verdict good">Complete: every reachable configuration was visited"#))
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
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"))
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
