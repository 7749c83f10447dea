extension ReportPage {
    /// The places that the script fills.
    static let controls = """
        <section aria-label="Turns">
        <div class="bar">
        <input type="search" id="search" placeholder="Search" aria-label="Search">
        <label>in <select id="scope"><option value="">events, effects, calls and changes</option>\
        <option value="states">whole states</option></select></label>
        <button data-key="p" aria-label="previous hit">↑</button>
        <button data-key="n" aria-label="next hit">↓</button>
        <output id="hits"></output>
        </div>
        <div class="bar">
        <label>show <select id="only"><option value="">all turns</option>\
        <option value="hits">hits of the search</option>\
        <option value="watched">turns that touched the watched part</option></select></label>
        <label>kind <select id="kind"><option value="">all</option></select></label>
        <label>system <select id="system"><option value="">all</option></select></label>
        <label>event <select id="name"><option value="">all</option></select></label>
        <label>outcome <select id="outcome"><option value="">all</option></select></label>
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
        <button data-key="Home" aria-label="first turn">⇤</button>
        <button data-key="ArrowLeft" aria-label="previous turn">←</button>
        <input type="range" id="slider" min="0" value="0" aria-label="Turn">
        <button data-key="ArrowRight" aria-label="next turn">→</button>
        <button data-key="End" aria-label="last turn">⇥</button>
        <button data-key="+" aria-label="zoom in">+</button><button data-key="-" aria-label="zoom out">−</button>
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
}
