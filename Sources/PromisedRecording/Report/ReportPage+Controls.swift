extension ReportPage {
    /// The places that the script fills.
    static let controls = """
        <section aria-label="Turns">
        <div class="bar">
        <input type="search" id="search" placeholder="Search" aria-label="Search">
        <label>in <select id="scope"><option value="">events, effects, calls and changes</option>\
        <option value="states">whole states</option></select></label>
        \(button("p", "↑", "previous hit")) \(button("n", "↓", "next hit"))
        <output id="hits"></output>
        </div>
        <div class="bar">
        <label>show <select id="only"><option value="">all turns</option>\
        <option value="hits">hits of the search</option>\
        <option value="watched">turns that touched the watched part</option></select></label>
        \(filters)
        <output id="count"></output>
        </div>
        <div class="bar">
        <span id="watched">Choose “watch” at a part of the state.</span>
        <span id="change" hidden><button data-key="C">previous change</button>
        <button data-key="c">next change</button></span>
        <button id="unwatch" hidden>stop watching</button>
        </div>
        <canvas id="lanes" role="img" aria-label="Timeline of the queue, transitions, effects and calls. \
        Running work is listed at each turn."></canvas>
        <div class="bar">
        \(button("Home", "⇤", "first turn")) \(button("ArrowLeft", "←", "previous turn"))
        <input type="range" id="slider" min="0" value="0" aria-label="Turn">
        \(button("ArrowRight", "→", "next turn")) \(button("End", "⇥", "last turn"))
        \(button("+", "+", "zoom in")) \(button("-", "−", "zoom out"))
        <span id="range" class="dim"></span>
        </div>
        <details id="help"><summary>Keys</summary>\
        <p>← → turn, PageUp PageDown 20 turns, Home End, n p hit, c C change of the \
        watched part, w watch the focused part, + − zoom, / search, ? keys.</p></details>
        <div class="columns">
        <div id="list" role="grid" aria-label="Turns" aria-colcount="7" tabindex="0">\
        <div id="head" role="row"></div><div id="space"></div>\
        <div id="rows" role="rowgroup"></div></div>
        <div id="detail">
        <h2 id="turn"></h2><ol id="facts"></ol>
        <h3>Running when the next turn begins</h3><p id="idle" class="dim">Nothing.</p><ul id="running"></ul>
        <h3>State</h3><div id="states"></div>
        </div>
        </div>
        <p id="said" role="status" aria-live="polite"></p>
        </section>
        """

    private static let filters = [
        ("kind", "kind"), ("system", "system"), ("event", "name"), ("outcome", "outcome"),
    ]
    .map { "<label>\($0) <select id=\"\($1)\"><option value=\"\">all</option></select></label>" }
    .joined(separator: "\n")

    private static func button(_ key: String, _ sign: String, _ name: String) -> String {
        "<button data-key=\"\(key)\" aria-label=\"\(name)\">\(sign)</button>"
    }
}
