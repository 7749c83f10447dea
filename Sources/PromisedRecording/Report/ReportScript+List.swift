extension ReportScript {
    /// The list of the turns, of which only the visible rows exist, and the filters.
    static let list = #"""
        const height = 26;
        let shown = [...turns.keys()], current = 0;
        let hits = null, watched = null;

        function cells(row) {
          const { turn, start, end, system, detail, outcome, isOpen } = turns[row];
          const cells = [turn, timeText(start), index.systems[system] ?? "", detail, outcome,
            isOpen ? "in flight" : timeText(end - start)];
          if (watched) cells.push(watched.texts[place(watched.rows, row)] ?? "");
          return cells;
        }

        function drawList() {
          const box = $("list"), first = Math.max(0, Math.floor(box.scrollTop / height) - 5);
          const rows = shown.slice(first, first + Math.ceil(box.clientHeight / height) + 10);
          $("space").style.height = `${shown.length * height}px`;
          $("rows").style.transform = `translateY(${first * height}px)`;
          $("rows").replaceChildren(...rows.map((row, offset) => {
            const line = make("div", "", { role: "row", id: `row${row}`, "aria-rowindex": first + offset + 1,
              "aria-selected": row === current });
            if (hits && hits[place(hits, row)] === row) line.classList.add("hit");
            if (turns[row].outcome === "failed") line.classList.add("bad");
            line.append(...cells(row).map(text => make("span", text, { role: "gridcell" })));
            line.onclick = () => select(row);
            return line;
          }));
          $("head").replaceChildren(...["turn", "time", "system", "event", "outcome", "duration",
            ...watched ? [pathText(watched.path)] : []].map(text => make("span", text, { role: "columnheader" })));
          box.setAttribute("aria-rowcount", shown.length);
          box.setAttribute("aria-activedescendant", `row${current}`);
          box.classList.toggle("watching", watched !== null);
        }

        function filter() {
          const only = $("only").value;
          const base = only === "hits" ? hits ?? [] : only === "watched" ? watched?.touched ?? [] : null;
          const is = (row, id) => $(id).value === "" || $(id).value === String(turns[row][id]);
          shown = (base ?? [...turns.keys()]).filter(row =>
            ["kind", "system", "outcome", "name"].every(id => is(row, id)));
          $("slider").max = Math.max(0, shown.length - 1);
          $("count").textContent = shown.length === count ? `${count} turns` : `${shown.length} of ${count} turns`;
          select(shown[Math.max(0, place(shown, current))] ?? current);
        }

        // MARK: Search

        function search() {
          const wanted = $("search").value.toLowerCase(), isWhole = $("scope").value === "states", found = [];
          const known = new WeakMap(), isIn = text => text.toLowerCase().includes(wanted);
          const has = state => {
            if (!known.has(state)) known.set(state, isIn(state.x ?? state.u ?? textOf(state.v)));
            return known.get(state);
          };
          $("hits").textContent = wanted ? "searching…" : "";
          scan("search", (row, turn) => {
            const isHit = isWhole ? Object.values(turn.after).some(has)
              : turn.facts.some(fact => isIn([fact.text, ...fact.changes].join("\n")));
            if (wanted && isHit) found.push(row);
          }, () => {
            hits = wanted ? found : null;
            $("hits").textContent = wanted ? `${found.length} found` : "";
            filter();
            if (found.length && !found.includes(current)) select(found[0]);
          });
        }

        function nextIn(rows, direction) {
          const found = direction > 0 ? rows[place(rows, current) + 1] : rows[place(rows, current - 1)];
          if (found !== undefined) select(found);
        }

        // MARK: Watching

        function watch(system, path) {
          const found = { system, path, rows: [], texts: [], touched: [] };
          let last;
          $("watched").textContent = visible(`Watching ${pathText(path)} …`);
          scan("watch", (row, turn) => {
            const state = turn.after[system];
            if (state === last && row) return;
            last = state;
            const value = state?.x ?? member(state?.v, path), text = textOf(value);
            if (row && text === found.texts.at(-1)) return;
            if (row) found.touched.push(row);
            found.rows.push(row);
            found.texts.push(text);
          }, () => {
            watched = found;
            filter();
          });
        }

        function unwatch() {
          scans.watch = watched = null;
          if ($("only").value === "watched") $("only").value = "";
          filter();
        }


        """#
}
